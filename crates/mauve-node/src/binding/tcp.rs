//! TCP: bind, listen, connect, addresses and socket options.

use std::time::Duration;

use mauve::{Tcp, TcpBindFlags};
use rquickjs::{Array, Ctx, Object, Result};

use super::emitters::Emitter;
use super::stream::{self, Callback, code, complete};
use super::{address, define, throw};
use crate::host::current;
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "addressBits", |text: String| address::bits(&text))?;
    define(object, "create", || stream::add(Tcp::new(&current().lp).into()))?;
    define(object, "bind", |id: u64, address: String, port: u16, only_v6: bool| {
        code(bind(id, &address, port, only_v6))
    })?;
    define(
        object,
        "listen",
        |id: u64, backlog: i32, callback: Callback, server: Option<Emitter>| {
            code(listen(id, backlog, callback).inspect(|()| stream::add_server(id, server)))
        },
    )?;
    define(object, "connect", |id: u64, address: String, port: u16, callback: Callback| {
        code(connect(id, &address, port, callback))
    })?;
    define(object, "localAddress", |ctx, id: u64| {
        address_array(&ctx, find(id).and_then(|tcp| tcp.local_addr()))
    })?;
    define(object, "peerAddress", |ctx, id: u64| {
        address_array(&ctx, find(id).and_then(|tcp| tcp.peer_addr()))
    })?;
    define(object, "setNoDelay", |id: u64, on: bool| {
        code(find(id).and_then(|tcp| tcp.set_nodelay(on)))
    })?;
    define(object, "setKeepAlive", |id: u64, on: bool, seconds: u32| {
        let idle = on.then(|| Duration::from_secs(seconds.into()));
        code(find(id).and_then(|tcp| tcp.set_keepalive(idle)))
    })?;
    define(object, "isIP", |Text(text): Text| address::version(&text))?;
    Ok(())
}

fn find(id: u64) -> mauve::Result<Tcp> {
    stream::find(id)?.try_into()
}

fn bind(id: u64, text: &str, port: u16, only_v6: bool) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    let flags = TcpBindFlags { only_v6: only_v6 && address.is_ipv6(), ..TcpBindFlags::default() };
    find(id)?.bind_with(address, flags)
}

fn listen(id: u64, backlog: i32, callback: Callback) -> mauve::Result<()> {
    find(id)?.listen(backlog, move |(), _, connection| {
        stream::accept(&callback, connection.map(Into::into));
    })
}

fn connect(id: u64, text: &str, port: u16, callback: Callback) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    find(id)?.connect(address, move |(), _, result| complete(&callback, result))
}

fn address_array<'js>(
    ctx: &Ctx<'js>,
    address: mauve::Result<std::net::SocketAddr>,
) -> Result<Array<'js>> {
    match address {
        Ok(address) => address::array(ctx, address),
        Err(error) => throw(ctx, error),
    }
}

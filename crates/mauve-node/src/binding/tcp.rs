//! TCP: addresses, listening, connecting.

use std::time::Duration;

use mauve::{Errno, Tcp, TcpBindFlags};
use rquickjs::{Array, Ctx, Object, Result};

use super::stream::{self, Callback, Stream, answer, code};
use super::{address, functions, throw};
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "create" => || stream::add(Stream::Tcp(Tcp::new(&current().lp))),
        "bind" => |id: u32, address: String, port: u16, only_v6: bool| {
            code(bind(id, &address, port, only_v6))
        },
        "listen" => |id: u32, backlog: i32, callback: Callback| code(listen(id, backlog, callback)),
        "connect" => |id: u32, address: String, port: u16, callback: Callback| {
            code(connect(id, &address, port, callback))
        },
        "localAddress" => |ctx, id: u32| tell(&ctx, find(id).and_then(|tcp| tcp.local_addr())),
        "peerAddress" => |ctx, id: u32| tell(&ctx, find(id).and_then(|tcp| tcp.peer_addr())),
        "setNoDelay" => |id: u32, on: bool| code(find(id).and_then(|tcp| tcp.set_nodelay(on))),
        "setKeepAlive" => |id: u32, on: bool, seconds: u32| {
            let idle = on.then(|| Duration::from_secs(seconds.into()));
            code(find(id).and_then(|tcp| tcp.set_keepalive(idle)))
        },
        "isIP" => |text: String| address::version(&text),
    });
    Ok(())
}

fn find(id: u32) -> mauve::Result<Tcp> {
    match stream::find(id)? {
        Stream::Tcp(tcp) => Ok(tcp),
        Stream::Pipe(_) => Err(Errno::EINVAL),
    }
}

fn bind(id: u32, text: &str, port: u16, only_v6: bool) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    let flags = TcpBindFlags { only_v6: only_v6 && address.is_ipv6(), ..TcpBindFlags::default() };
    find(id)?.bind_with(address, flags)
}

fn listen(id: u32, backlog: i32, callback: Callback) -> mauve::Result<()> {
    find(id)?.listen(backlog, move |(), _, connection| {
        stream::announce(&callback, connection.map(Stream::Tcp));
    })
}

fn connect(id: u32, text: &str, port: u16, callback: Callback) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    find(id)?.connect(address, move |(), result| answer(&callback, result))
}

fn tell<'js>(ctx: &Ctx<'js>, address: mauve::Result<std::net::SocketAddr>) -> Result<Array<'js>> {
    match address {
        Ok(address) => address::array(ctx, address),
        Err(error) => throw(ctx, error),
    }
}

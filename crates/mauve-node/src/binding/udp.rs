//! UDP sockets.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use mauve::net::{MulticastGroup, MulticastInterface};
use mauve::{Errno, Udp, UdpBindFlags};
use rquickjs::{Array, ArrayBuffer, Ctx, Object, Result, TypedArray};

use super::emitters::{self, Emitter, Label, Source};
use super::stream::{Callback, code, complete};
use super::{address, define, number, throw};
use crate::host::{current, views};

thread_local! {
    static SOCKETS: RefCell<HashMap<u64, Udp>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "create", create)?;
    define(object, "bind", |id: u64, address: String, port: u16, only_v6: bool, reuse: bool| {
        code(bind(id, &address, port, only_v6, reuse))
    })?;
    define(object, "connect", |id: u64, address: String, port: u16| {
        code(find(id).and_then(|udp| udp.connect(address::parse(&address, port)?)))
    })?;
    define(object, "disconnect", |id: u64| code(find(id).and_then(|udp| udp.disconnect())))?;
    define(object, "send", send)?;
    define(object, "recvStart", |id: u64, callback: Callback, socket: Option<Emitter>| {
        code(recv_start(id, callback).inspect(|()| {
            let fd = find(id).and_then(|udp| udp.raw_descriptor()).unwrap_or(-1);
            emitters::add(Source::Udp(id), Label::Datagrams(fd), socket);
        }))
    })?;
    define(object, "recvStop", |id: u64| code(find(id).map(|udp| udp.recv_stop())))?;
    define(object, "close", close)?;
    define(object, "setRef", set_ref)?;
    define(object, "hasRef", |id: u64| find(id).is_ok_and(|udp| udp.has_ref()))?;
    define(object, "localAddress", |ctx, id: u64| {
        address_array(&ctx, find(id).and_then(|udp| udp.local_addr()))
    })?;
    define(object, "peerAddress", |ctx, id: u64| {
        address_array(&ctx, find(id).and_then(|udp| udp.peer_addr()))
    })?;
    define(object, "sendQueueSize", |id: u64| find(id).map_or(0, |udp| udp.send_queue().bytes))?;
    define(object, "sendQueueCount", |id: u64| find(id).map_or(0, |udp| udp.send_queue().count))?;
    define(object, "fd", |id: u64| find(id).and_then(|udp| udp.raw_descriptor()).unwrap_or(-1))?;
    define(object, "bufferSize", buffer_size)?;
    fill_options(object)
}

/// Defines the functions that set socket options.
fn fill_options(object: &Object<'_>) -> Result<()> {
    define(object, "setBroadcast", |id: u64, on: bool| {
        code(find(id).and_then(|u| u.set_broadcast(on)))
    })?;
    define(object, "setTTL", |id: u64, ttl: f64| {
        code(find(id).and_then(|udp| udp.set_ttl(checked_ttl(ttl)?)))
    })?;
    define(object, "setMulticastTTL", |id: u64, ttl: f64| {
        code(find(id).and_then(|udp| udp.set_multicast_ttl(checked_ttl(ttl)?)))
    })?;
    define(object, "setMulticastLoopback", |id: u64, on: bool| {
        code(find(id).and_then(|udp| udp.set_multicast_loop(on)))
    })?;
    define(object, "setMulticastInterface", |id: u64, interface: String| {
        code(set_multicast_interface(id, &interface))
    })?;
    define(
        object,
        "setMembership",
        |id: u64, group: String, interface: Option<String>, join: bool| {
            code(set_membership(id, &group, interface.as_deref(), join))
        },
    )?;
    define(
        object,
        "setSourceMembership",
        |id: u64, source: String, group: String, interface: Option<String>, join: bool| {
            code(set_source_membership(id, &source, &group, interface.as_deref(), join))
        },
    )?;
    Ok(())
}

/// Validates a TTL.
fn checked_ttl(ttl: f64) -> mauve::Result<u32> {
    if (0.0..256.0).contains(&ttl) { Ok(ttl as u32) } else { Err(Errno::EINVAL) }
}

fn create() -> u64 {
    let id = LAST.get() + 1;
    LAST.set(id);
    SOCKETS.with_borrow_mut(|sockets| sockets.insert(id, Udp::new(&current().lp)));
    id
}

fn find(id: u64) -> mauve::Result<Udp> {
    SOCKETS.with_borrow(|sockets| sockets.get(&id).cloned()).ok_or(Errno::EBADF)
}

fn bind(id: u64, text: &str, port: u16, only_v6: bool, reuse: bool) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    let flags = UdpBindFlags {
        only_v6: only_v6 && address.is_ipv6(),
        reuse_address: reuse,
        ..UdpBindFlags::default()
    };
    find(id)?.bind_with(address, flags)
}

/// Sends views as one datagram, to an address or to the connected peer. Returns the size plus one
/// if it was sent synchronously, 0 if the callback will be called, or an errno.
fn send<'js>(
    id: u64,
    views: Array<'js>,
    port: u16,
    text: Option<String>,
    callback: Callback,
) -> Result<i32> {
    let mut datagram = Vec::new();
    for view in views.iter::<TypedArray<'js, u8>>() {
        views::append(&view?, &mut datagram);
    }
    let sent = || {
        let udp = find(id)?;
        let to = text.map(|text| address::parse(&text, port)).transpose()?;
        match udp.try_send(&datagram, to) {
            Ok(count) => return Ok(count as i32 + 1),
            Err(Errno::EAGAIN) => {}
            Err(error) => return Err(error),
        }
        udp.send_with(datagram, to, move |(), _, result| complete(&callback, result))?;
        Ok(0)
    };
    Ok(sent().unwrap_or_else(number))
}

/// Calls back with 0, the bytes and the address of the sender, or with an errno.
fn recv_start(id: u64, callback: Callback) -> mauve::Result<()> {
    let started = find(id)?.recv_start(move |(), _, datagram| {
        current().call_back(&callback, |ctx, args| match datagram {
            Ok(datagram) => {
                args.push_arg(0)?;
                args.push_arg(ArrayBuffer::new_copy(ctx.clone(), datagram.bytes)?)?;
                args.push_arg(address::array(ctx, datagram.from)?)
            }
            Err(error) => args.push_arg(number(error)),
        });
    });
    match started {
        Err(Errno::EALREADY) => Ok(()),
        other => other,
    }
}

fn close(id: u64, callback: Option<Callback>) -> i32 {
    let Some(udp) = SOCKETS.with_borrow_mut(|sockets| sockets.remove(&id)) else {
        return number(Errno::EBADF);
    };
    emitters::remove(Source::Udp(id));
    code(udp.close_with(move |()| {
        if let Some(callback) = callback {
            current().call_back(&callback, |_, _| Ok(()));
        }
    }))
}

fn set_ref(id: u64, on: bool) {
    // A closed socket does not keep the loop running anyway.
    if let Ok(udp) = find(id) {
        if on {
            udp.ref_();
        } else {
            udp.unref();
        }
    }
}

fn address_array<'js>(ctx: &Ctx<'js>, address: mauve::Result<SocketAddr>) -> Result<Array<'js>> {
    match address {
        Ok(address) => address::array(ctx, address),
        Err(error) => throw(ctx, error),
    }
}

/// Returns the size of the send or receive buffer. Sets it first unless `size` is zero.
fn buffer_size(ctx: Ctx<'_>, id: u64, sending: bool, size: u32) -> Result<usize> {
    let get_size = || {
        let udp = find(id)?;
        match (sending, size) {
            (true, 0) | (false, 0) => {}
            (true, size) => udp.set_send_buffer_size(size as usize)?,
            (false, size) => udp.set_recv_buffer_size(size as usize)?,
        }
        if sending { udp.send_buffer_size() } else { udp.recv_buffer_size() }
    };
    get_size().or_else(|error| throw(&ctx, error))
}

/// The address of a group or an interface.
fn ip(text: &str) -> mauve::Result<IpAddr> {
    address::parse(text, 0).map(|address| address.ip())
}

/// A multicast group on an interface: its address or, after a percent sign, its name.
fn group(text: &str, interface: Option<&str>) -> mauve::Result<MulticastGroup> {
    Ok(match ip(text)? {
        IpAddr::V4(group) => {
            let interface = match interface.map(ip).transpose()? {
                None => std::net::Ipv4Addr::UNSPECIFIED,
                Some(IpAddr::V4(interface)) => interface,
                Some(IpAddr::V6(_)) => return Err(Errno::EINVAL),
            };
            MulticastGroup::V4 { group, interface }
        }
        IpAddr::V6(group) => {
            let interface = match interface.map(|text| address::parse(text, 0)).transpose()? {
                None => 0,
                Some(SocketAddr::V6(interface)) => interface.scope_id(),
                Some(SocketAddr::V4(_)) => return Err(Errno::EINVAL),
            };
            MulticastGroup::V6 { group, interface }
        }
    })
}

fn set_membership(id: u64, text: &str, interface: Option<&str>, join: bool) -> mauve::Result<()> {
    let (udp, group) = (find(id)?, group(text, interface)?);
    if join { udp.join_multicast(group) } else { udp.leave_multicast(group) }
}

fn set_source_membership(
    id: u64,
    source: &str,
    text: &str,
    interface: Option<&str>,
    join: bool,
) -> mauve::Result<()> {
    let (udp, group, source) = (find(id)?, group(text, interface)?, ip(source)?);
    if join {
        udp.join_multicast_source(group, source)
    } else {
        udp.leave_multicast_source(group, source)
    }
}

fn set_multicast_interface(id: u64, text: &str) -> mauve::Result<()> {
    let interface = match address::parse(text, 0)? {
        SocketAddr::V4(address) => MulticastInterface::V4(*address.ip()),
        SocketAddr::V6(address) => MulticastInterface::V6(address.scope_id()),
    };
    find(id)?.set_multicast_interface(interface)
}

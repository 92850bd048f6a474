//! `uv_udp_*`: UDP sockets.
//!
//! This file has initialisation, binding and addresses; [`send`], [`mod@receive`] and [`options`]
//! have the rest.

use std::ffi::{c_int, c_uint};
use std::mem::ManuallyDrop;

use mauve_core::Engine;
use mauve_core::handle::udp::{UdpBindFlags, UdpMut};
use mauve_sys::descriptor::{AsDescriptor as _, CLOSED, Socket, into_raw};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result, fd};

use crate::abi::*;
use crate::ffi::{Ptr, code, flag, negative};
use crate::handle::descriptor;
use crate::system;
use crate::tcp::{AF_UNSPEC, copy_address};

mod options;
mod receive;
mod send;

pub(crate) use receive::receive;
pub(crate) use send::on_sent;

/// Calls `action` with the socket. `EINVAL` for a struct of zeros.
fn with<R>(
    udp: Ptr<uv_udp_t>,
    call: &str,
    action: impl FnOnce(UdpMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    let zeroed = Err(Errno::EINVAL);
    let act = |id, engine: &mut Engine<Platform>| engine.udp(id).map(action);
    let result = udp.with_engine_unless_zeroed(call, zeroed, act);
    if udp.published() == CLOSED {
        publish_descriptor(udp);
    }
    result
}

/// [`with`], for queries and options: returns `EBADF` if the handle is closed.
fn attempt<R>(
    udp: Ptr<uv_udp_t>,
    call: &str,
    action: impl FnOnce(UdpMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    if !udp.is_null() && udp.is_closed() && !udp.is_zeroed() {
        return Err(Errno::EBADF);
    }
    with(udp, call, action)
}

/// Copies the descriptor to the field that programs read, if the handle has one.
#[cold]
fn publish_descriptor(udp: Ptr<uv_udp_t>) {
    if udp.with(|udp| udp.flags & flag::CLOSING == 0)
        && let Ok(fd) = descriptor(udp.base())
    {
        udp.set_published(fd);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_init(loop_: Ptr<uv_loop_t>, udp: Ptr<uv_udp_t>) -> c_int {
    uv_udp_init_ex(loop_, udp, AF_UNSPEC as c_uint)
}

/// The low bits of the flags are the address family of the new socket.
const FAMILY_MASK: c_uint = 0xff;

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_init_ex(
    loop_: Ptr<uv_loop_t>,
    udp: Ptr<uv_udp_t>,
    flags: c_uint,
) -> c_int {
    let family = (flags & FAMILY_MASK) as c_int;
    let batches = flags & !FAMILY_MASK == UV_UDP_RECVMMSG as c_uint;
    if flags & !FAMILY_MASK != 0 && !batches {
        return negative(Errno::EINVAL);
    }
    let socket = match family {
        AF_UNSPEC => Ok(None),
        net::AF_INET | net::AF_INET6 => net::socket(family, net::SOCK_DGRAM).map(Some),
        _ => Err(Errno::EINVAL),
    };
    let socket = match socket {
        Ok(socket) => socket,
        Err(error) => return negative(error),
    };
    udp.open(UV_UDP, loop_, "uv_udp_init", |engine, token| {
        let id = engine.open_udp(token);
        if let (Some(socket), Some(mut udp)) = (socket, engine.udp(id)) {
            udp.set_socket(socket);
        }
        id
    });
    udp.with(|udp| {
        udp.flags = if batches { flag::RECVMMSG } else { 0 };
        (udp.send_queue_size, udp.send_queue_count) = (0, 0);
        (udp.alloc_cb, udp.recv_cb) = (None, None);
    });
    udp.set_published(CLOSED);
    publish_descriptor(udp);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_using_recvmmsg(udp: Ptr<uv_udp_t>) -> c_int {
    c_int::from(udp.with(|udp| udp.flags & flag::RECVMMSG != 0))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_open(udp: Ptr<uv_udp_t>, socket: uv_os_sock_t) -> c_int {
    uv_udp_open_ex(udp, socket, UV_UDP_REUSEADDR as c_uint)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_open_ex(udp: Ptr<uv_udp_t>, socket: uv_os_sock_t, flags: c_uint) -> c_int {
    let Some(flags) = bind_flags(flags, UV_UDP_REUSEADDR | UV_UDP_REUSEPORT) else {
        return negative(Errno::EINVAL);
    };
    if udp.is_tolerated() && udp.is_zeroed() {
        // libuv takes the zero for a descriptor.
        return negative(Errno::EBUSY);
    }
    if udp.is_tolerated() && !fd::is_open(socket) {
        return negative(Errno::EBADF);
    }
    code(with(udp, "uv_udp_open", |mut udp| {
        udp.check_open(socket)?;
        fd::set_nonblocking(socket, true)?;
        // SAFETY: open, as the call above shows. The program transfers its ownership on success.
        let socket = ManuallyDrop::new(unsafe { fd::from_raw(socket) }?);
        let lent = socket.as_descriptor();
        if flags.reuse_address {
            net::set_reuse_address(lent, true)?;
        }
        if flags.reuse_port {
            net::set_reuse_port(lent, true)?;
        }
        udp.adopt(ManuallyDrop::into_inner(socket));
        udp.set_options_as_unbound();
        Ok(())
    }))
}

/// Adopts a socket that was received over a pipe.
pub(crate) fn accept(udp: Ptr<uv_udp_t>, socket: Socket) -> c_int {
    let opened = uv_udp_open(udp, socket.raw_descriptor());
    if opened == 0 {
        // The handle owns it now.
        let _ = into_raw(socket);
    }
    opened
}

/// Parses the flags; `None` if they contain others than the allowed ones.
fn bind_flags(flags: c_uint, allowed: c_int) -> Option<UdpBindFlags> {
    let has = |flag: c_int| flags & flag as c_uint != 0;
    (flags & !(allowed as c_uint) == 0).then(|| UdpBindFlags {
        only_v6: has(UV_UDP_IPV6ONLY),
        reuse_address: has(UV_UDP_REUSEADDR),
        reuse_port: has(UV_UDP_REUSEPORT),
        recv_err: has(UV_UDP_LINUX_RECVERR),
    })
}

/// An address that C passed; `None` for null. `EINVAL` if the family is unknown.
#[inline]
fn address(raw: *const sockaddr) -> Result<Option<Address>> {
    let mut storage = Address::unspecified();
    Ok(address_in(raw, &mut storage)?.copied())
}

/// As [`address`], but borrows from `storage`, so that the address is copied only once.
#[inline]
fn address_in(raw: *const sockaddr, storage: &mut Address) -> Result<Option<&Address>> {
    if raw.is_null() {
        return Ok(None);
    }
    // SAFETY: the program guarantees a complete address of its family.
    if unsafe { storage.assign_from(raw) } { Ok(Some(storage)) } else { Err(Errno::EINVAL) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_bind(udp: Ptr<uv_udp_t>, raw: *const sockaddr, flags: c_uint) -> c_int {
    let allowed = UV_UDP_IPV6ONLY | UV_UDP_REUSEADDR | UV_UDP_REUSEPORT | UV_UDP_LINUX_RECVERR;
    let Some(flags) = bind_flags(flags, allowed) else { return negative(Errno::EINVAL) };
    code(address(raw).and_then(|address| {
        let address = address.ok_or(Errno::EINVAL)?;
        with(udp, "uv_udp_bind", |mut udp| {
            if system::IGNORES_SECOND_BIND && udp.local_address().is_ok() {
                return Ok(());
            }
            udp.bind(&address, flags)
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_connect(udp: Ptr<uv_udp_t>, raw: *const sockaddr) -> c_int {
    code(address(raw).and_then(|peer| {
        with(udp, "uv_udp_connect", |mut udp| match peer {
            Some(peer) => udp.connect(&peer),
            None => udp.disconnect(),
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_getsockname(
    udp: Ptr<uv_udp_t>,
    name: *mut sockaddr,
    length: Ptr<c_int>,
) -> c_int {
    copy_address(attempt(udp, "uv_udp_getsockname", |mut udp| udp.local_address()), name, length)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_getpeername(
    udp: Ptr<uv_udp_t>,
    name: *mut sockaddr,
    length: Ptr<c_int>,
) -> c_int {
    copy_address(attempt(udp, "uv_udp_getpeername", |mut udp| udp.peer_address()), name, length)
}

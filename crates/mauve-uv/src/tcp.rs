//! `uv_tcp_*` and `uv_socketpair`.

use std::ffi::{c_int, c_uint};

use mauve_core::handle::stream::{StreamMut, TcpBindFlags};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Address, KeepAlive};
use mauve_sys::{Errno, Result, fd};

use crate::abi::callbacks::{uv_close_cb, uv_connect_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::{file, handle, stream, system};

/// No family: the socket is created when its family is known.
pub(crate) const AF_UNSPEC: c_int = 0;

/// The keep-alive idle time that is used if the option is set before the socket exists.
const DEFERRED_IDLE: u32 = 60;

fn base(tcp: Ptr<uv_tcp_t>) -> Ptr<uv_stream_t> {
    // SAFETY: `stream!` declares every stream with the fields of `uv_stream_t` first.
    unsafe { Ptr::new(tcp.raw().cast()) }
}

fn with<R>(tcp: Ptr<uv_tcp_t>, call: &str, action: impl FnOnce(StreamMut<'_, Platform>) -> R) -> R {
    stream::with(base(tcp), call, action)
}

fn attempt<R>(
    tcp: Ptr<uv_tcp_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    stream::with_or(base(tcp), call, Errno::EBADF, action)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_init(loop_: Ptr<uv_loop_t>, tcp: Ptr<uv_tcp_t>) -> c_int {
    uv_tcp_init_ex(loop_, tcp, AF_UNSPEC as c_uint)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_init_ex(
    loop_: Ptr<uv_loop_t>,
    tcp: Ptr<uv_tcp_t>,
    flags: c_uint,
) -> c_int {
    let family = (flags & 0xff) as i32;
    let known = [AF_UNSPEC, net::AF_INET, net::AF_INET6].contains(&family);
    if !known || flags & !0xff != 0 {
        return negative(Errno::EINVAL);
    }
    let socket = match family {
        AF_UNSPEC => None,
        family => match net::socket(family, net::SOCK_STREAM) {
            Ok(socket) => Some(socket),
            Err(error) => {
                if !check::is_enabled() {
                    tcp.seal_failed(UV_TCP, loop_);
                    stream::initialise(base(tcp));
                }
                return negative(error);
            }
        },
    };
    let has_socket = socket.is_some();
    tcp.open(UV_TCP, loop_, "uv_tcp_init", |engine, token| {
        let id = engine.open_tcp(token);
        if let (Some(socket), Some(mut stream)) = (socket, engine.stream(id)) {
            stream.set_socket(socket);
        }
        id
    });
    stream::initialise(base(tcp));
    if has_socket {
        stream::publish(base(tcp).raw());
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_open(tcp: Ptr<uv_tcp_t>, socket: uv_os_sock_t) -> c_int {
    if tcp.is_tolerated() && !fd::is_open(socket) {
        return negative(Errno::EBADF);
    }
    let opened = with(tcp, "uv_tcp_open", |mut stream| {
        if stream.owns(socket) {
            return stream.open_again(true, true);
        }
        // As in libuv, it is non-blocking even if the stream then does not adopt it.
        stream.check_unwatched(socket)?;
        fd::set_nonblocking(socket, true)?;
        let adopted = stream.open(socket, true, true)?;
        // SAFETY: open, as the call above shows, and the program transfers its ownership.
        let adopted = stream.adopt(unsafe { fd::from_raw(socket) }?, adopted);
        adopted.map_err(stream::leave_open)
    });
    // Also after an error: a stream that did not adopt the descriptor is readable all the same.
    stream::publish(tcp.raw().cast());
    code(opened)
}

/// An address that C passed.
fn address(raw: *const sockaddr) -> Result<Address> {
    if raw.is_null() {
        return Err(Errno::EINVAL);
    }
    // SAFETY: the program guarantees a complete address of its family.
    unsafe { Address::copy_ip_from(raw) }.ok_or(Errno::EINVAL)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_bind(tcp: Ptr<uv_tcp_t>, raw: *const sockaddr, flags: c_uint) -> c_int {
    let has = |bit: c_int| flags & bit as c_uint != 0;
    let flags = TcpBindFlags { only_v6: has(UV_TCP_IPV6ONLY), reuse_port: has(UV_TCP_REUSEPORT) };
    let bound = address(raw).and_then(|address| {
        stream::with_or(base(tcp), "uv_tcp_bind", Errno::EINVAL, |mut stream| {
            stream.bind(&address, flags)
        })
    });
    code(bound)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_connect(
    request: Ptr<uv_connect_t>,
    tcp: Ptr<uv_tcp_t>,
    raw: *const sockaddr,
    callback: uv_connect_cb,
) -> c_int {
    const CALL: &str = "uv_tcp_connect";
    check::requests::before_submit(request, CALL);
    let address = address(raw);
    let is_known = |to: &Address| matches!(to.family(), net::AF_INET | net::AF_INET6);
    if tcp.is_tolerated() && (tcp.is_zeroed() || !address.as_ref().is_ok_and(is_known)) {
        return negative(Errno::EINVAL);
    }
    let connecting = address.and_then(|address| {
        with(tcp, CALL, |mut stream| stream.connect_tcp(request.token(), &address))
    });
    if connecting.is_ok() {
        check::requests::on_submit(request.address(), UV_CONNECT, CALL);
        request.with(|request| {
            request.r#type = UV_CONNECT;
            request.handle = tcp.raw().cast();
            request.cb = callback;
        });
    }
    stream::publish(tcp.raw().cast());
    code(connecting)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_getsockname(
    tcp: Ptr<uv_tcp_t>,
    name: *mut sockaddr,
    length: Ptr<c_int>,
) -> c_int {
    let address = attempt(tcp, "uv_tcp_getsockname", |mut s| s.local_address());
    copy_address(address, name, length)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_getpeername(
    tcp: Ptr<uv_tcp_t>,
    name: *mut sockaddr,
    length: Ptr<c_int>,
) -> c_int {
    let address = attempt(tcp, "uv_tcp_getpeername", |mut s| s.peer_address());
    copy_address(address, name, length)
}

/// Copies as much of an address as fits, and stores its full length.
pub(crate) fn copy_address(
    address: Result<Address>,
    name: *mut sockaddr,
    length: Ptr<c_int>,
) -> c_int {
    let address = match address {
        Ok(address) => address,
        Err(error) => return negative(error),
    };
    let bytes = address.as_bytes();
    length.with(|length| {
        let Ok(capacity) = usize::try_from(*length) else { return negative(Errno::EINVAL) };
        let count = capacity.min(bytes.len());
        // SAFETY: the program guarantees `*length` bytes, and no more are written.
        unsafe { name.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), count) };
        *length = bytes.len() as c_int;
        0
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_nodelay(tcp: Ptr<uv_tcp_t>, on: c_int) -> c_int {
    if tcp.is_closed() {
        return 0;
    }
    code(with(tcp, "uv_tcp_nodelay", |mut stream| stream.set_nodelay(on != 0)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_keepalive(tcp: Ptr<uv_tcp_t>, on: c_int, delay: c_uint) -> c_int {
    keepalive(tcp, on, KeepAlive::after(delay), "uv_tcp_keepalive")
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_keepalive_ex(
    tcp: Ptr<uv_tcp_t>,
    on: c_int,
    idle: c_uint,
    interval: c_uint,
    count: c_uint,
) -> c_int {
    keepalive(tcp, on, KeepAlive { idle, interval, count }, "uv_tcp_keepalive_ex")
}

fn keepalive(tcp: Ptr<uv_tcp_t>, on: c_int, wanted: KeepAlive, call: &str) -> c_int {
    if tcp.is_closed() {
        return 0;
    }
    code(with(tcp, call, |mut stream| {
        let has_socket = stream.fd().is_ok();
        match (on != 0, has_socket) {
            (false, _) => stream.set_keepalive(None),
            (true, true) => stream.set_keepalive(Some(wanted)),
            (true, false) => stream.set_keepalive(Some(KeepAlive::after(DEFERRED_IDLE))),
        }
    }))
}

/// Has an effect only on Windows.
#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_simultaneous_accepts(_: Ptr<uv_tcp_t>, _: c_int) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tcp_close_reset(tcp: Ptr<uv_tcp_t>, callback: uv_close_cb) -> c_int {
    let reset = attempt(tcp, "uv_tcp_close_reset", |mut stream| stream.reset_on_close());
    let reset = reset.map_err(system::reset_error);
    if reset.is_ok() {
        handle::uv_close(tcp.base(), callback);
    }
    code(reset)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_socketpair(
    kind: c_int,
    protocol: c_int,
    sockets: *mut uv_os_sock_t,
    first: c_int,
    second: c_int,
) -> c_int {
    let nonblocking = [first, second].map(|flags| flags & UV_NONBLOCK_PIPE != 0);
    match net::socket_pair(kind, protocol, nonblocking) {
        Ok(pair) => {
            // SAFETY: the program guarantees an array of two, and owns the sockets then.
            unsafe { sockets.cast::<[uv_os_sock_t; 2]>().write(pair.map(file::give_socket)) };
            0
        }
        Err(error) => negative(error),
    }
}

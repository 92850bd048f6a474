//! `uv_poll_*`.

use std::ffi::c_int;

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::driver::Interest;

use crate::abi::callbacks::uv_poll_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, abort_misuse, negative};
use crate::file;

#[unsafe(no_mangle)]
pub extern "C" fn uv_poll_init(
    loop_: Ptr<uv_loop_t>,
    poll: Ptr<uv_poll_t>,
    file: uv_file,
) -> c_int {
    init(loop_, poll, file::descriptor(file))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_poll_init_socket(
    loop_: Ptr<uv_loop_t>,
    poll: Ptr<uv_poll_t>,
    socket: uv_os_sock_t,
) -> c_int {
    init(loop_, poll, socket)
}

fn init(loop_: Ptr<uv_loop_t>, poll: Ptr<uv_poll_t>, fd: RawDescriptor) -> c_int {
    let opened = poll.try_open(UV_POLL, loop_, "uv_poll_init", |engine, token| {
        let id = engine.open_poll(token, fd)?;
        if let Err(error) = mauve_sys::fd::set_nonblocking(fd, true) {
            engine.abandon(id);
            return Err(error);
        }
        Ok(id)
    });
    match opened {
        Ok(()) => {
            poll.with(|poll| poll.poll_cb = None);
            poll.set_published(fd);
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_poll_start(
    poll: Ptr<uv_poll_t>,
    events: c_int,
    callback: uv_poll_cb,
) -> c_int {
    let interest = u8::try_from(events).ok().and_then(Interest::from_bits);
    let Some(interest) = interest else {
        abort_misuse(
            "uv_poll_start",
            format_args!("{events:#x} contains bits that are not events"),
        );
    };
    check::arguments::require_callback(callback, "uv_poll_start");
    if interest.is_empty() && poll.is_tolerated() {
        return 0;
    }
    let started = poll.with_engine("uv_poll_start", |id, engine| {
        if engine.status(id)?.closing {
            return None;
        }
        Some(engine.poll(id)?.start(interest))
    });
    match started {
        Ok(()) => {
            poll.with(|poll| poll.poll_cb = callback);
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_poll_stop(poll: Ptr<uv_poll_t>) -> c_int {
    poll.with_engine_or("uv_poll_stop", (), |id, engine| {
        engine.poll(id).map(|mut poll| poll.stop())
    });
    0
}

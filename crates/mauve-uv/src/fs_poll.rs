//! `uv_fs_poll_*`.

use std::ffi::{c_char, c_int, c_uint};

use mauve_core::Engine;
use mauve_core::handle::fs_poll::FsPollMut;
use mauve_sys::driver::Platform;
use mauve_sys::fs::stat::Stat;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_poll_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::{fs, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_poll_init(loop_: Ptr<uv_loop_t>, poll: Ptr<uv_fs_poll_t>) -> c_int {
    poll.open(UV_FS_POLL, loop_, "uv_fs_poll_init", Engine::open_fs_poll);
    poll.with(|poll| poll.poll_cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_poll_start(
    poll: Ptr<uv_fs_poll_t>,
    callback: uv_fs_poll_cb,
    path: Ptr<c_char>,
    interval: c_uint,
) -> c_int {
    check::arguments::require_callback(callback, "uv_fs_poll_start");
    let path = text::borrow(&path);
    match with(poll, "uv_fs_poll_start", |mut poll| poll.start(path, interval.into())) {
        Ok(started) => {
            if started {
                poll.with(|poll| poll.poll_cb = callback);
            }
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_poll_stop(poll: Ptr<uv_fs_poll_t>) -> c_int {
    poll.with_engine_or("uv_fs_poll_stop", (), |id, engine| {
        engine.fs_poll(id).map(|mut poll| poll.stop())
    });
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_poll_getpath(
    poll: Ptr<uv_fs_poll_t>,
    buffer: Ptr<c_char>,
    size: Ptr<usize>,
) -> c_int {
    text::return_string(buffer, size, || {
        let path = poll.with_engine_or("uv_fs_poll_getpath", None, |id, engine| {
            let mut poll = engine.fs_poll(id)?;
            Some(poll.path().map(|path| path.to_bytes().to_vec()))
        });
        path.ok_or_else(|| {
            size.write(0);
            Errno::EINVAL
        })
    })
}

/// Runs the callback.
pub(crate) fn on_change(poll: Ptr<uv_fs_poll_t>, result: Result<()>) {
    let (before, now) = with(poll, "uv_fs_poll", |mut poll| poll.statuses());
    let Some(callback) = poll.with(|poll| poll.poll_cb) else { return };
    let [before, now] = [before, now].map(|stat| fs::stat::convert(&stat.unwrap_or(Stat::NONE)));
    // SAFETY: the program registered the function for this handle. Both stat structs are valid
    // during the call.
    unsafe { callback(poll.raw(), code(result), &before, &now) };
}

fn with<R>(
    poll: Ptr<uv_fs_poll_t>,
    call: &str,
    action: impl FnOnce(FsPollMut<'_, Platform>) -> R,
) -> R {
    poll.with_engine(call, |id, engine| engine.fs_poll(id).map(action))
}

//! `uv_fs_event_*`.

use std::ffi::{CString, c_char, c_int, c_uint};

use mauve_core::Engine;
use mauve_core::handle::fs_event::{Change, FsEventMut};
use mauve_sys::driver::Platform;
use mauve_sys::fs::path;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_event_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_event_init(loop_: Ptr<uv_loop_t>, event: Ptr<uv_fs_event_t>) -> c_int {
    event.open(UV_FS_EVENT, loop_, "uv_fs_event_init", Engine::open_fs_event);
    event.with(|event| event.cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_event_start(
    event: Ptr<uv_fs_event_t>,
    callback: uv_fs_event_cb,
    path: Ptr<c_char>,
    flags: c_uint,
) -> c_int {
    check::arguments::require_callback(callback, "uv_fs_event_start");
    let path = match path::from_c(text::borrow(&path)) {
        Ok(path) => path,
        Err(error) => return negative(error),
    };
    let recursive = flags as c_int & UV_FS_EVENT_RECURSIVE != 0;
    match with(event, "uv_fs_event_start", |mut event| event.start(&path, recursive)) {
        Ok(()) => {
            event.with(|event| event.cb = callback);
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_event_stop(event: Ptr<uv_fs_event_t>) -> c_int {
    let stop = |id, engine: &mut Engine<_>| engine.fs_event(id).map(|mut event| event.stop());
    event.with_engine_or("uv_fs_event_stop", (), stop);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_event_getpath(
    event: Ptr<uv_fs_event_t>,
    buffer: Ptr<c_char>,
    size: Ptr<usize>,
) -> c_int {
    text::return_string(buffer, size, || {
        let path = event.with_engine_or("uv_fs_event_getpath", None, |id, engine| {
            let mut event = engine.fs_event(id)?;
            Some(event.path().map(|path| path::to_bytes(path.as_os_str()).into_owned()))
        });
        path.ok_or_else(|| {
            size.write(0);
            Errno::EINVAL
        })
    })
}

/// Runs the callback. The name is valid during the call.
pub(crate) fn on_event(event: Ptr<uv_fs_event_t>, result: Result<Change>) {
    let name = |_, engine: &mut Engine<Platform>| {
        CString::new(path::to_bytes(engine.changed_file().as_os_str())).ok()
    };
    let name = event.with_engine("uv_fs_event", name);
    let Some(callback) = event.with(|event| event.cb) else { return };
    let (name, change, status) = match result {
        Ok(Change::Modified) => (name.as_ptr(), UV_CHANGE, 0),
        Ok(Change::DirectoryAttributes) => (name.as_ptr(), UV_RENAME | UV_CHANGE, 0),
        Ok(_) => (name.as_ptr(), UV_RENAME, 0),
        Err(error) => (std::ptr::null(), 0, negative(error)),
    };
    // SAFETY: the program registered the function for this handle.
    unsafe { callback(event.raw(), name, change, status) };
}

fn with<R>(
    event: Ptr<uv_fs_event_t>,
    call: &str,
    action: impl FnOnce(FsEventMut<'_, Platform>) -> R,
) -> R {
    event.with_engine(call, |id, engine| engine.fs_event(id).map(action))
}

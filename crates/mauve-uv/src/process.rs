//! `uv_spawn`, `uv_process_*`, `uv_kill`.

use std::ffi::{CStr, CString, c_char, c_int};

use mauve_core::handle::process::Stdio;
use mauve_core::{Engine, HandleId};
use mauve_sys::descriptor::CLOSED;
use mauve_sys::process::{self, ProcessOptions, WindowsOptions};
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, abort_misuse, code, negative};
use crate::handle::descriptor;
use crate::{file, stream};

const FLAGS: c_int = UV_PROCESS_SETUID
    | UV_PROCESS_SETGID
    | UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS
    | UV_PROCESS_DETACHED
    | UV_PROCESS_WINDOWS_HIDE
    | UV_PROCESS_WINDOWS_HIDE_CONSOLE
    | UV_PROCESS_WINDOWS_HIDE_GUI
    | UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME;

#[unsafe(no_mangle)]
pub extern "C" fn uv_spawn(
    loop_: Ptr<uv_loop_t>,
    process: Ptr<uv_process_t>,
    options: Ptr<uv_process_options_t>,
) -> c_int {
    process.open(UV_PROCESS, loop_, "uv_spawn", Engine::open_process);
    let (exit_cb, flags) = options.with(|options| (options.exit_cb, options.flags as c_int));
    if flags & !FLAGS != 0 {
        abort_misuse("uv_spawn", format_args!("{flags:#x} contains bits that are not flags"));
    }
    process.with(|process| {
        (process.exit_cb, process.pid, process.status) = (exit_cb, 0, 0);
    });
    let command = options.with(|options| command(options));
    let containers = options.with(|options| containers(options));
    let stdios: Result<Vec<_>> = containers.iter().map(stdio).collect();
    let spawned = stdios.and_then(|stdios| {
        let (spawned, pid) = process.with_engine("uv_spawn", |id, engine| {
            let mut process = engine.process(id)?;
            Some((process.spawn(&command, &stdios), process.pid()))
        });
        process.with(|process| process.pid = pid);
        containers.iter().filter(|container| container.flags & UV_CREATE_PIPE != 0).for_each(
            // SAFETY: `stdio` has checked that it is an open pipe.
            |container| stream::publish(unsafe { container.data.stream }),
        );
        spawned
    });
    code(spawned)
}

/// The command, copied from the options.
fn command(options: &uv_process_options_t) -> ProcessOptions {
    let flag = |flag: c_int| options.flags as c_int & flag != 0;
    // SAFETY: the program passes valid strings, and null-terminated lists of strings.
    unsafe {
        ProcessOptions {
            file: string(options.file).unwrap_or_else(|| {
                abort_misuse("uv_spawn", format_args!("the file is a null pointer"))
            }),
            args: strings(options.args).unwrap_or_default(),
            env: strings(options.env),
            cwd: string(options.cwd),
            uid: flag(UV_PROCESS_SETUID).then_some(id_number(options.uid)),
            gid: flag(UV_PROCESS_SETGID).then_some(id_number(options.gid)),
            detached: flag(UV_PROCESS_DETACHED),
            windows: WindowsOptions {
                verbatim_arguments: flag(UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS),
                hide_console: flag(UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_CONSOLE),
                hide_window: flag(UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_GUI),
                exact_file: flag(UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME),
            },
        }
    }
}

fn containers(options: &uv_process_options_t) -> Vec<uv_stdio_container_t> {
    if options.stdio_count <= 0 || options.stdio.is_null() {
        return Vec::new();
    }
    // SAFETY: the program guarantees `stdio_count` containers.
    unsafe { std::slice::from_raw_parts(options.stdio, options.stdio_count as usize) }.to_vec()
}

/// How one descriptor of the child is set up.
fn stdio(container: &uv_stdio_container_t) -> Result<Stdio> {
    let flag = |flag: c_int| container.flags & flag != 0;
    match container.flags & (UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM) {
        UV_IGNORE => Ok(Stdio::Ignore),
        UV_CREATE_PIPE => Ok(Stdio::Pipe {
            stream: pipe(container)?,
            readable: flag(UV_READABLE_PIPE),
            writable: flag(UV_WRITABLE_PIPE),
        }),
        kind => {
            let fd = if kind == UV_INHERIT_FD {
                // SAFETY: with this flag the union holds a descriptor.
                file::descriptor(unsafe { container.data.fd })
            } else {
                // SAFETY: without that flag the union holds a handle.
                let handle = unsafe { Ptr::new(container.data.stream.cast()) };
                descriptor(handle).map_err(|_| Errno::EINVAL)?
            };
            if fd == CLOSED { Err(Errno::EINVAL) } else { Ok(Stdio::Inherit(fd)) }
        }
    }
}

fn pipe(container: &uv_stdio_container_t) -> Result<HandleId> {
    // SAFETY: with `UV_CREATE_PIPE` the union holds a handle.
    let stream: Ptr<uv_stream_t> = unsafe { Ptr::new(container.data.stream) };
    if stream.is_null() || stream.with(|stream| stream.r#type) != UV_NAMED_PIPE {
        return Err(Errno::EINVAL);
    }
    Ok(stream.identify("uv_spawn").0)
}

/// # Safety
/// Null, or a valid string.
unsafe fn string(text: *const c_char) -> Option<CString> {
    // SAFETY: not null, and the caller guarantees a valid string.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_owned())
}

/// # Safety
/// Null, or a null-terminated list of strings.
unsafe fn strings(mut list: *const *mut c_char) -> Option<Vec<CString>> {
    if list.is_null() {
        return None;
    }
    let mut strings = Vec::new();
    // SAFETY: the caller guarantees a null-terminated list of valid strings.
    while let Some(text) = unsafe { string(*list) } {
        strings.push(text);
        list = list.wrapping_add(1);
    }
    Some(strings)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_process_kill(process: Ptr<uv_process_t>, signal: c_int) -> c_int {
    if !process.is_null() && process.is_closed() && !check::is_enabled() {
        return match process.with(|process| process.pid) {
            // Zero is not a child, but the process group of the program. libuv signals it for a struct of
            // zeros.
            0 if !process.is_zeroed() => negative(Errno::ESRCH),
            pid => uv_kill(pid, signal),
        };
    }
    code(process.with_engine("uv_process_kill", |id, engine| {
        engine.process(id).map(|mut process| process.kill(signal))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_process_get_pid(process: Ptr<uv_process_t>) -> uv_pid_t {
    process.with(|process| process.pid)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_kill(pid: c_int, signal: c_int) -> c_int {
    process::kill(pid, signal).map_or_else(negative, |()| 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_disable_stdio_inheritance() {
    process::disable_stdio_inheritance();
}

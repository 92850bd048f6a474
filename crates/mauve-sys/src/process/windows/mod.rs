//! Processes on Windows.

use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_INVALID_PARAMETER, GetLastError, HANDLE, WAIT_TIMEOUT,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE,
    PROCESS_TERMINATE, TerminateProcess, WaitForSingleObject,
};

use crate::signal::numbers::{SIGINT, SIGKILL, SIGQUIT, SIGTERM, SIGWINCH};
use crate::{Errno, Result};

mod command;
mod spawn;
mod stdio;

/// Ends a process, if the signal is `SIGKILL`, `SIGTERM`, `SIGQUIT` or `SIGINT`: its exit status is one.
/// Signal 0 only checks whether the process exists. `ENOSYS` for other signals.
#[doc(alias = "uv_kill")]
pub fn kill(pid: i32, signal: i32) -> Result<()> {
    if !(0..=SIGWINCH).contains(&signal) {
        return Err(Errno::EINVAL);
    }
    // Zero is this process, as in libuv.
    if pid == 0 {
        // SAFETY: takes no arguments. The result is no handle that has to be closed.
        return signal_process(unsafe { GetCurrentProcess() }, signal);
    }
    let access = PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE;
    // SAFETY: takes numbers. Opens a handle if it succeeds.
    let process = unsafe { OpenProcess(access, 0, pid.cast_unsigned()) };
    if process.is_null() {
        // SAFETY: takes no arguments.
        return match unsafe { GetLastError() } {
            ERROR_INVALID_PARAMETER => Err(Errno::ESRCH),
            _ => Err(Errno::last()),
        };
    }
    let result = signal_process(process, signal);
    // SAFETY: it was opened above, and is not used afterwards.
    unsafe { CloseHandle(process) };
    result
}

/// [`kill`] for a process that is open.
pub(crate) fn kill_process(process: HANDLE, signal: i32) -> Result<()> {
    if !(0..=SIGWINCH).contains(&signal) {
        return Err(Errno::EINVAL);
    }
    signal_process(process, signal)
}

fn signal_process(process: HANDLE, signal: i32) -> Result<()> {
    // SAFETY: the handle is open.
    let is_running = || unsafe { WaitForSingleObject(process, 0) } == WAIT_TIMEOUT;
    match signal {
        0 if is_running() => Ok(()),
        0 => Err(Errno::ESRCH),
        SIGKILL | SIGTERM | SIGQUIT | SIGINT => {
            if !is_running() {
                return Err(Errno::ESRCH);
            }
            // SAFETY: the handle is open. A process that ends itself does not return from here.
            if unsafe { TerminateProcess(process, 1) } == 0 { Err(Errno::last()) } else { Ok(()) }
        }
        _ => Err(Errno::ENOSYS),
    }
}

/// Does nothing: children inherit only the handles that they are given.
#[doc(alias = "uv_disable_stdio_inheritance")]
pub fn disable_stdio_inheritance() {}

/// There are none: handles have no numbers that parent and child agree on.
#[cfg(any(test, feature = "inherited"))]
pub fn take_inherited() -> Vec<crate::descriptor::Descriptor> {
    Vec::new()
}

/// Runs `action` while a thread of another process is stopped. `ENOSYS`.
pub fn with_stopped_thread<R>(_thread: i32, _action: impl FnOnce() -> R) -> Result<R> {
    Err(Errno::ENOSYS)
}

/// The registers of a stopped thread. `ENOSYS`.
pub fn registers(_thread: i32) -> Result<(u64, Vec<(u16, u64)>)> {
    Err(Errno::ENOSYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_and_ended() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert_eq!([kill(own, 0), kill(0, 0)], [Ok(()); 2]);
        assert_eq!(kill(own, 10), Err(Errno::ENOSYS));
        assert_eq!(kill(own, -1), Err(Errno::EINVAL));
        let mut child = std::process::Command::new("cmd.exe")
            .args(["/c", "pause"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        assert_eq!([kill(pid, 0), kill(pid, SIGTERM)], [Ok(()); 2]);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert_eq!(kill(pid, 0), Err(Errno::ESRCH));
    }
}

//! The exit of children on Windows: the handle of a process is signaled when the process has exited.

use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::os::windows::process::ExitStatusExt as _;
use std::sync::atomic::{AtomicI32, Ordering};

use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{GetExitCodeProcess, WaitForSingleObject};

use super::{ExitNotification, ExitStatus};
use crate::descriptor::AsDescriptor as _;
use crate::{Result, process};

impl ExitStatus {
    /// The status in the form of the standard library, which has no signals.
    pub fn to_std(self) -> std::process::ExitStatus {
        std::process::ExitStatus::from_raw(self.status as u32)
    }
}

/// Waits for the exit of one child.
#[derive(Debug)]
pub struct ChildWatch {
    process: OwnedHandle,
    pid: i32,
    /// The signal that this program has ended the child with, or zero.
    signal: AtomicI32,
}

impl ChildWatch {
    pub(crate) fn new(pid: i32, process: OwnedHandle) -> Self {
        Self { process, pid, signal: AtomicI32::new(0) }
    }

    /// The process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// How the exit is notified: the handle of the process becomes readable.
    pub fn notification(&self) -> ExitNotification<'_> {
        ExitNotification::Descriptor(self.process.as_descriptor())
    }

    /// Returns how the child has exited, if it has. The signal is one that [`kill`](Self::kill) was called
    /// with.
    pub fn try_wait(&self) -> Option<ExitStatus> {
        let process = self.process.as_raw_handle();
        let mut code = 0;
        // SAFETY: the handle is open, and the exit code is stored in a local variable.
        let has_exited = unsafe {
            WaitForSingleObject(process, 0) == WAIT_OBJECT_0
                && GetExitCodeProcess(process, &raw mut code) != 0
        };
        let signal = self.signal.load(Ordering::Relaxed);
        has_exited.then(|| ExitStatus { status: code.into(), signal, core_dumped: false })
    }

    /// Sends a signal to the child: see [`process::kill`]. `ESRCH` if it has exited.
    pub fn kill(&self, signal: i32) -> Result<()> {
        process::kill_process(self.process.as_raw_handle(), signal)?;
        if signal != 0 {
            self.signal.store(signal, Ordering::Relaxed);
        }
        Ok(())
    }
}

//! Stopping a thread of another process with `ptrace`, as a debugger does.

use std::ptr::null_mut;

use crate::{Errno, Result};

/// What is requested of the kernel. The type of its numbers differs between C libraries.
enum Request {
    Seize,
    Interrupt,
    Detach,
}

/// A guard that keeps a thread stopped until it is dropped. The kernel also continues the thread if
/// this process exits.
struct StoppedThread(libc::pid_t);

impl StoppedThread {
    fn stop(thread: libc::pid_t) -> Result<Self> {
        trace(Request::Seize, thread)?;
        let stopped = Self(thread);
        trace(Request::Interrupt, thread)?;
        let mut status = 0;
        loop {
            // SAFETY: `waitpid` writes the status to a local variable.
            if unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL) } == thread {
                break;
            }
            match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error),
            }
        }
        if libc::WIFSTOPPED(status) { Ok(stopped) } else { Err(Errno::ESRCH) }
    }
}

impl Drop for StoppedThread {
    fn drop(&mut self) {
        // Fails if the thread has exited.
        let _ = trace(Request::Detach, self.0);
    }
}

fn trace(request: Request, thread: libc::pid_t) -> Result<()> {
    let request = match request {
        Request::Seize => libc::PTRACE_SEIZE,
        Request::Interrupt => libc::PTRACE_INTERRUPT,
        Request::Detach => libc::PTRACE_DETACH,
    };
    let nothing = null_mut::<libc::c_void>();
    // SAFETY: the requests that are made here neither read nor write memory of ours.
    match unsafe { libc::ptrace(request, thread, nothing, nothing) } {
        -1 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// Runs `action` while a thread of another process is stopped. A system call that the thread was
/// blocked in is restarted afterwards.
///
/// `EPERM` if this process may not trace the other one, or a debugger is attached to it.
pub fn with_stopped_thread<R>(thread: i32, action: impl FnOnce() -> R) -> Result<R> {
    let _stopped = StoppedThread::stop(thread)?;
    Ok(action())
}

/// The program counter of a thread that [`with_stopped_thread`] has stopped, and the registers that functions
/// preserve, by their numbers in unwind tables.
#[cfg(target_arch = "x86_64")]
pub fn registers(thread: i32) -> Result<(u64, Vec<(u16, u64)>)> {
    let of: libc::user_regs_struct = register_set(thread)?;
    let preserved = [of.rbx, of.rbp, of.rsp, of.r12, of.r13, of.r14, of.r15];
    Ok((of.rip, [3, 6, 7, 12, 13, 14, 15].into_iter().zip(preserved).collect()))
}

/// The program counter of a thread that [`with_stopped_thread`] has stopped, and its registers by their
/// numbers in unwind tables.
#[cfg(target_arch = "aarch64")]
pub fn registers(thread: i32) -> Result<(u64, Vec<(u16, u64)>)> {
    let of: libc::user_regs_struct = register_set(thread)?;
    let registers = (0..).zip(of.regs).chain([(31, of.sp)]);
    Ok((of.pc, registers.collect()))
}

/// The registers of a stopped thread. `ENOSYS`: their layout is not known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn registers(_thread: i32) -> Result<(u64, Vec<(u16, u64)>)> {
    Err(Errno::ENOSYS)
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn register_set(thread: i32) -> Result<libc::user_regs_struct> {
    // SAFETY: all-zero is a valid value of this struct of numbers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let mut buffer = libc::iovec {
        iov_base: (&raw mut registers).cast(),
        iov_len: size_of::<libc::user_regs_struct>(),
    };
    // SAFETY: the kernel writes at most the length of the buffer, which is that of the struct.
    let read =
        unsafe { libc::ptrace(libc::PTRACE_GETREGSET, thread, libc::NT_PRSTATUS, &raw mut buffer) };
    if read == -1 { Err(Errno::last()) } else { Ok(registers) }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn state(thread: i32) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{thread}/stat")).expect("a process");
        stat.split(' ').nth(2).expect("a letter").to_owned()
    }

    #[test]
    fn a_thread_is_stopped_and_continues_afterwards() {
        let mut child = Command::new("sleep").arg("0.3").spawn().expect("a child");
        let thread = i32::try_from(child.id()).expect("a number");
        match with_stopped_thread(thread, || state(thread)) {
            Ok(state) => assert_eq!(state, "t"),
            Err(error) => assert_eq!(error, Errno::EPERM, "the system does not permit ptrace"),
        }
        assert!(child.wait().expect("an exit status").success());
    }

    #[test]
    fn a_thread_that_does_not_exist_is_an_error() {
        assert_eq!(with_stopped_thread(i32::MAX, || ()), Err(Errno::ESRCH));
    }
}

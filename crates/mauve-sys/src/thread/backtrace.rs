//! The call stack of another thread of this process.
//!
//! The thread is interrupted by a signal, and its handler walks the stack. Unwinding uses the tables
//! of the modules and takes no lock of the allocator.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most frames that are captured.
const MAX_FRAMES: usize = 64;

/// How long to wait for the thread. It may have blocked the signal.
const TIMEOUT: Duration = Duration::from_millis(200);

/// The addresses of the captured frames, the innermost first.
static FRAMES: [AtomicUsize; MAX_FRAMES] = [const { AtomicUsize::new(0) }; MAX_FRAMES];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The thread that is to capture its stack; negative when it is done; zero if there is none.
static REQUESTED: AtomicI32 = AtomicI32::new(0);

/// One capture at a time.
static CAPTURE: Mutex<bool> = Mutex::new(false);

/// A signal that programs seldom use.
fn signal() -> c_int {
    libc::SIGRTMAX() - 2
}

/// The return addresses on the stack of a thread, the innermost first. `None` if the thread does not
/// respond, or if the program itself uses the signal.
pub fn backtrace_of(tid: u32) -> Option<Vec<u64>> {
    let mut installed = CAPTURE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*installed {
        *installed = install();
    }
    let thread = i32::try_from(tid).ok().filter(|_| *installed)?;
    COUNT.store(0, Ordering::Relaxed);
    REQUESTED.store(thread, Ordering::Release);
    // SAFETY: `tgkill` takes numbers only. The handler for the signal is installed.
    let sent = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, signal()) };
    let begin = Instant::now();
    while sent == 0 && REQUESTED.load(Ordering::Acquire) == thread && begin.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_micros(100));
    }
    // A late handler finds no request.
    let done = REQUESTED.swap(0, Ordering::AcqRel) == -thread;
    let count = COUNT.load(Ordering::Relaxed).min(MAX_FRAMES);
    let frames = FRAMES[..count].iter().map(|frame| frame.load(Ordering::Relaxed) as u64);
    done.then(|| frames.collect())
}

/// Installs the handler, unless the program has one for the signal.
fn install() -> bool {
    // The unwinder allocates on first use, which a signal handler must not do.
    walk();
    // SAFETY: all-zero is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: queries into a valid struct.
    let queried = unsafe { libc::sigaction(signal(), std::ptr::null(), &raw mut action) };
    if queried != 0 || action.sa_sigaction != libc::SIG_DFL {
        return false;
    }
    action.sa_sigaction = on_signal as extern "C" fn(c_int) as *const () as usize;
    action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
    // SAFETY: the handler uses atomics and the unwinder only, and keeps `errno`.
    unsafe { libc::sigaction(signal(), &raw const action, std::ptr::null_mut()) == 0 }
}

extern "C" fn on_signal(_: c_int) {
    // SAFETY: `gettid` and the location of `errno` have no preconditions.
    let (thread, errno) = unsafe { (libc::gettid(), *libc::__errno_location()) };
    if REQUESTED.load(Ordering::Acquire) == thread {
        walk();
        let _ = REQUESTED.compare_exchange(thread, -thread, Ordering::AcqRel, Ordering::Relaxed);
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}

/// Stores the frames of the calling thread.
fn walk() {
    COUNT.store(0, Ordering::Relaxed);
    // SAFETY: the callback has the expected type, and takes no argument.
    unsafe { _Unwind_Backtrace(on_frame, std::ptr::null_mut()) };
}

extern "C" fn on_frame(context: *mut c_void, _: *mut c_void) -> c_int {
    const CONTINUE: c_int = 0;
    const END: c_int = 5;
    let at = COUNT.load(Ordering::Relaxed);
    let Some(frame) = FRAMES.get(at) else { return END };
    // SAFETY: the unwinder passes a valid context.
    frame.store(unsafe { _Unwind_GetIP(context) }, Ordering::Relaxed);
    COUNT.store(at + 1, Ordering::Relaxed);
    CONTINUE
}

// The unwinder that the standard library links.
unsafe extern "C" {
    fn _Unwind_Backtrace(
        callback: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::module_of;
    use crate::thread::current_tid;

    static STOP: AtomicBool = AtomicBool::new(false);

    #[inline(never)]
    fn spin(tid: &AtomicUsize) {
        tid.store(current_tid() as usize, Ordering::Release);
        while !STOP.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn the_stack_of_a_busy_thread_is_captured() {
        let tid = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| spin(&tid));
            while tid.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
            let frames = backtrace_of(tid.load(Ordering::Acquire) as u32);
            STOP.store(true, Ordering::Relaxed);
            let frames = frames.unwrap();
            let own = std::env::current_exe().unwrap();
            let is_own = |frame: &&u64| module_of(**frame).is_some_and(|code| code.path == own);
            assert!(frames.iter().filter(is_own).count() > 2, "{frames:x?}");
        });
    }

    #[test]
    fn a_thread_that_does_not_exist_has_no_stack() {
        assert_eq!(backtrace_of(u32::MAX >> 1), None);
    }
}

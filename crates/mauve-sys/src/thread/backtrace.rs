//! What another thread of this process does: its call stack, or its system call.
//!
//! A thread that computes is interrupted by a signal, and its handler walks the stack. Unwinding uses
//! the tables of the modules and takes no lock of the allocator. A thread in a system call that a signal
//! ends early is not interrupted: the program would notice.

use std::ffi::{c_int, c_long, c_void};
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
/// Position of the first frame that is not of the signal handler.
static FIRST: AtomicUsize = AtomicUsize::new(0);
/// The thread that is to capture its stack; negative when it is done; zero if there is none.
static REQUESTED: AtomicI32 = AtomicI32::new(0);

/// One capture at a time.
static CAPTURE: Mutex<bool> = Mutex::new(false);

/// A signal that programs seldom use.
fn signal() -> c_int {
    libc::SIGRTMAX() - 2
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It computes: the return addresses on its stack, the innermost first.
    Computes(Vec<u64>),
    /// It is in the system call with this name.
    SystemCall(String),
    /// Not known: the thread does not respond, or the program itself uses the signal.
    Unknown,
}

/// What a thread does at the moment.
pub fn activity_of(tid: u32) -> Activity {
    match SystemCall::of(tid) {
        Some(call) if !call.goes_on_after_a_signal() => Activity::SystemCall(call.name()),
        before => match (backtrace_of(tid), SystemCall::of(tid).or(before)) {
            (Some(frames), _) => Activity::Computes(frames),
            (None, Some(call)) => Activity::SystemCall(call.name()),
            (None, None) => Activity::Unknown,
        },
    }
}

/// The system call that a thread is in.
struct SystemCall {
    number: c_long,
    /// The first argument.
    argument: u64,
}

impl SystemCall {
    fn of(tid: u32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/self/task/{tid}/syscall")).ok()?;
        // `running`, or -1 in a page fault, or the number and the arguments in hexadecimal.
        let mut words = text.split_whitespace();
        let number = words.next()?.parse().ok().filter(|number| *number >= 0)?;
        let argument = words.next()?.trim_start_matches("0x");
        Some(Self { number, argument: u64::from_str_radix(argument, 16).ok()? })
    }

    /// Whether a signal neither ends the call early nor makes it transfer less: operations on files.
    fn goes_on_after_a_signal(&self) -> bool {
        match self.number {
            libc::SYS_fsync
            | libc::SYS_fdatasync
            | libc::SYS_sync
            | libc::SYS_syncfs
            | libc::SYS_statx
            | libc::SYS_unlinkat
            | libc::SYS_getdents64
            | libc::SYS_mmap
            | libc::SYS_munmap
            | libc::SYS_ftruncate => true,
            libc::SYS_read
            | libc::SYS_readv
            | libc::SYS_pread64
            | libc::SYS_preadv
            | libc::SYS_write
            | libc::SYS_writev
            | libc::SYS_pwrite64
            | libc::SYS_pwritev => is_regular_file(self.argument),
            _ => false,
        }
    }

    fn name(&self) -> String {
        system_call_name(self.number)
    }
}

fn is_regular_file(fd: u64) -> bool {
    let path = format!("/proc/self/fd/{fd}");
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The name of a system call that may take long.
fn system_call_name(number: c_long) -> String {
    macro_rules! names {
        ($($number:ident $name:literal,)*) => {
            match number {
                $(libc::$number => $name.to_owned(),)*
                _ => format!("system call {number}"),
            }
        };
    }
    names! {
        SYS_accept4 "accept4", SYS_clock_nanosleep "clock_nanosleep", SYS_close "close",
        SYS_connect "connect", SYS_copy_file_range "copy_file_range",
        SYS_epoll_pwait "epoll_pwait", SYS_fallocate "fallocate", SYS_fcntl "fcntl",
        SYS_fdatasync "fdatasync", SYS_flock "flock", SYS_fsync "fsync", SYS_ftruncate "ftruncate",
        SYS_futex "futex", SYS_getdents64 "getdents64", SYS_getrandom "getrandom",
        SYS_ioctl "ioctl", SYS_mmap "mmap", SYS_msync "msync", SYS_munmap "munmap",
        SYS_nanosleep "nanosleep", SYS_openat "openat", SYS_ppoll "ppoll", SYS_pread64 "pread64",
        SYS_preadv "preadv", SYS_pselect6 "pselect6", SYS_pwrite64 "pwrite64",
        SYS_pwritev "pwritev", SYS_read "read", SYS_readv "readv", SYS_recvfrom "recvfrom",
        SYS_recvmmsg "recvmmsg", SYS_recvmsg "recvmsg", SYS_sendfile "sendfile",
        SYS_sendmmsg "sendmmsg", SYS_sendmsg "sendmsg", SYS_sendto "sendto", SYS_statx "statx",
        SYS_sync "sync", SYS_syncfs "syncfs", SYS_unlinkat "unlinkat", SYS_wait4 "wait4",
        SYS_waitid "waitid", SYS_write "write", SYS_writev "writev",
    }
}

/// The return addresses on the stack of a thread that computes, the innermost first. `None` if the
/// thread does not respond, or if the program itself uses the signal.
fn backtrace_of(tid: u32) -> Option<Vec<u64>> {
    let mut installed = CAPTURE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*installed {
        *installed = install();
    }
    let thread = i32::try_from(tid).ok().filter(|_| *installed)?;
    COUNT.store(0, Ordering::Relaxed);
    REQUESTED.store(thread, Ordering::Release);
    let timer = CpuTimer::start(thread);
    let begin = Instant::now();
    while timer.is_some()
        && REQUESTED.load(Ordering::Acquire) == thread
        && begin.elapsed() < TIMEOUT
    {
        std::thread::sleep(Duration::from_micros(100));
    }
    drop(timer);
    // A late handler finds no request.
    let done = REQUESTED.swap(0, Ordering::AcqRel) == -thread;
    let count = COUNT.load(Ordering::Relaxed).min(MAX_FRAMES);
    let first = FIRST.load(Ordering::Relaxed).min(count);
    let frames = FRAMES[first..count].iter().map(|frame| frame.load(Ordering::Relaxed) as u64);
    done.then(|| frames.collect())
}

/// A timer that sends the signal to a thread as soon as the thread uses the processor. Unlike
/// `tgkill`, it does not interrupt a system call that the thread has entered meanwhile.
struct CpuTimer(libc::timer_t);

impl CpuTimer {
    fn start(thread: i32) -> Option<Self> {
        // SAFETY: all-zero is a valid `sigevent`.
        let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal();
        event.sigev_notify_thread_id = thread;
        // The clock of a thread's processor time, as the kernel numbers it.
        const PER_THREAD: c_int = 4;
        const SCHEDULED: c_int = 2;
        let clock = !thread << 3 | PER_THREAD | SCHEDULED;
        let mut timer: libc::timer_t = std::ptr::null_mut();
        // SAFETY: both pointers are valid. The handler for the signal is installed.
        if unsafe { libc::timer_create(clock, &raw mut event, &raw mut timer) } != 0 {
            return None;
        }
        let timer = Self(timer);
        // SAFETY: all-zero is a valid `itimerspec`.
        let mut time: libc::itimerspec = unsafe { std::mem::zeroed() };
        time.it_value.tv_nsec = 1;
        // SAFETY: the timer exists, and the pointer is valid.
        let set = unsafe { libc::timer_settime(timer.0, 0, &raw const time, std::ptr::null_mut()) };
        (set == 0).then_some(timer)
    }
}

impl Drop for CpuTimer {
    fn drop(&mut self) {
        // SAFETY: the timer exists, and is deleted once.
        let _ = unsafe { libc::timer_delete(self.0) };
    }
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
    FIRST.store(0, Ordering::Relaxed);
    // SAFETY: the callback has the expected type, and takes no argument.
    unsafe { _Unwind_Backtrace(on_frame, std::ptr::null_mut()) };
}

extern "C" fn on_frame(context: *mut c_void, _: *mut c_void) -> c_int {
    const CONTINUE: c_int = 0;
    const END: c_int = 5;
    let at = COUNT.load(Ordering::Relaxed);
    let Some(frame) = FRAMES.get(at) else { return END };
    // SAFETY: the unwinder passes a valid context.
    let (address, begin) = unsafe { (_Unwind_GetIP(context), _Unwind_GetRegionStart(context)) };
    frame.store(address, Ordering::Relaxed);
    if begin == on_signal as extern "C" fn(c_int) as *const () as usize {
        // The next frame is the kernel's call of the handler.
        FIRST.store(at + 2, Ordering::Relaxed);
    }
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
    fn _Unwind_GetRegionStart(context: *mut c_void) -> usize;
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

    /// Starts a thread and calls `check` with its id.
    fn with_thread(body: impl FnOnce(&AtomicUsize) + Send, check: impl FnOnce(u32)) {
        let tid = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| body(&tid));
            while tid.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
            check(tid.load(Ordering::Acquire) as u32);
        });
    }

    #[test]
    fn the_stack_of_a_busy_thread_is_captured() {
        with_thread(spin, |tid| {
            // The thread may not get the processor in time.
            let activity = (0..50).map(|_| activity_of(tid)).find(|a| *a != Activity::Unknown);
            STOP.store(true, Ordering::Relaxed);
            let Some(Activity::Computes(frames)) = activity else { panic!("{activity:?}") };
            let own = std::env::current_exe().unwrap();
            let is_own = |frame: &&u64| module_of(**frame).is_some_and(|code| code.path == own);
            assert!(frames.iter().filter(is_own).count() > 2, "{frames:x?}");
        });
    }

    #[test]
    fn a_thread_in_a_system_call_is_not_interrupted() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let read = |tid: &AtomicUsize| {
            tid.store(current_tid() as usize, Ordering::Release);
            // A handler without SA_RESTART, or a sleep, would make an interruption visible here.
            let result = rustix::io::read(&reader, &mut [0; 1]);
            assert_eq!(result, Ok(1));
        };
        with_thread(read, |tid| {
            let in_read = Activity::SystemCall("read".to_owned());
            // The thread is on its way to the system call.
            while activity_of(tid) != in_read {
                std::thread::yield_now();
            }
            rustix::io::write(&writer, &[1]).unwrap();
        });
    }

    #[test]
    fn a_thread_that_does_not_exist_does_nothing_that_is_known() {
        assert_eq!(activity_of(u32::MAX >> 1), Activity::Unknown);
    }

    #[test]
    fn system_calls_without_a_name_have_a_number() {
        assert_eq!(system_call_name(libc::SYS_futex), "futex");
        assert_eq!(system_call_name(9999), "system call 9999");
    }
}

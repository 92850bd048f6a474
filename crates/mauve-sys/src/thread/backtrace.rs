//! What another thread of this process does: its call stack, and its system call.
//!
//! A signal interrupts the thread, and its handler walks the stack. Unwinding uses the tables of the
//! modules and takes no lock of the allocator. A thread in a system call that a signal interrupts, such
//! as a sleep, is not interrupted, because the program would notice. A wait that the kernel restarts
//! after the handler, such as that for a lock, is interrupted.
//!
//! Code that a program generates, such as V8's for JavaScript, has no tables. From there on the frame
//! pointers are followed, as long as they lead to older frames.

use std::ffi::{c_int, c_long, c_void};
use std::fs::FileType;
use std::os::unix::fs::FileTypeExt as _;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most frames that are captured.
const MAX_FRAMES: usize = 64;

/// The largest distance of two frame pointers.
const MAX_FRAME_SIZE: usize = 1 << 20;

/// The number of the frame pointer in the tables of the unwinder, where frames have the layout that
/// [`read_frame`] expects.
const FRAME_POINTER_REGISTER: Option<c_int> = if cfg!(target_arch = "x86_64") {
    Some(6)
} else if cfg!(target_arch = "aarch64") {
    Some(29)
} else {
    None
};

/// How long to wait for the thread. It may have blocked the signal.
const TIMEOUT: Duration = Duration::from_millis(200);

/// The addresses of the captured frames, the innermost first.
static FRAMES: [AtomicUsize; MAX_FRAMES] = [const { AtomicUsize::new(0) }; MAX_FRAMES];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The frame pointer of the last frame that the unwinder has found.
static FRAME_POINTER: AtomicUsize = AtomicUsize::new(0);
/// Position of the first frame that is not of the signal handler.
static FIRST: AtomicUsize = AtomicUsize::new(0);
/// The thread that is to capture its stack; negative when it is done; zero if there is none.
static REQUESTED: AtomicI32 = AtomicI32::new(0);

/// One capture at a time.
static CAPTURE: Mutex<bool> = Mutex::new(false);

/// A signal that few programs use.
fn signal() -> c_int {
    libc::SIGRTMAX() - 2
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It computes: the return addresses on its stack, the innermost first.
    Computes(Vec<u64>),
    /// It is in a system call.
    SystemCall {
        /// The name of the call.
        name: String,
        /// The return addresses on the stack. Empty if the thread must not be interrupted.
        frames: Vec<u64>,
    },
    /// Not known: the thread does not respond, or the program itself uses the signal.
    Unknown,
}

/// What a thread does at the moment.
pub fn activity_of(tid: u32) -> Activity {
    let in_call = |call: SystemCall, frames| Activity::SystemCall { name: call.name(), frames };
    match SystemCall::of(tid) {
        Some(call) if call.is_restarted() => {
            let frames = backtrace_of(tid, || interrupt_wait(tid, &call)).unwrap_or_default();
            in_call(call, frames)
        }
        Some(call) if !call.goes_on_after_a_signal() => in_call(call, Vec::new()),
        before => {
            match (backtrace_of(tid, || CpuTimer::start(tid)), SystemCall::of(tid).or(before)) {
                (Some(frames), _) => Activity::Computes(frames),
                (None, Some(call)) => in_call(call, Vec::new()),
                (None, None) => Activity::Unknown,
            }
        }
    }
}

/// Sends the signal to a thread that still waits in `call`. A thread that does so at two moments is
/// expected to do so at the third.
fn interrupt_wait(tid: u32, call: &SystemCall) -> Option<()> {
    std::thread::sleep(Duration::from_millis(1));
    let (process, thread) = (std::process::id() as c_int, tid as c_int);
    let waits = SystemCall::of(tid).as_ref() == Some(call);
    // SAFETY: the call has no preconditions. The handler for the signal is installed.
    (waits && unsafe { libc::syscall(libc::SYS_tgkill, process, thread, signal()) } == 0)
        .then_some(())
}

/// The system call that a thread is in.
#[derive(PartialEq, Eq)]
struct SystemCall {
    number: c_long,
    arguments: [u64; 6],
    /// Of the thread, to tell one call from the next with the same arguments.
    stack_pointer: u64,
}

impl SystemCall {
    fn of(tid: u32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/self/task/{tid}/syscall")).ok()?;
        // `running`, or -1 in a page fault, or the number, the arguments and two registers in
        // hexadecimal.
        let mut words = text.split_whitespace();
        let number = words.next()?.parse().ok().filter(|number| *number >= 0)?;
        let mut next = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
        let mut arguments = [0; 6];
        for argument in &mut arguments {
            *argument = next()?;
        }
        Some(Self { number, arguments, stack_pointer: next()? })
    }

    /// Whether it is a wait that the kernel restarts after a handler with `SA_RESTART`, so that the
    /// program does not notice the signal. Waits with a timeout are not restarted.
    fn is_restarted(&self) -> bool {
        let [first, second, _, fourth, ..] = self.arguments;
        match self.number {
            libc::SYS_futex => {
                let operation =
                    second as c_int & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
                let waits = matches!(operation, libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET);
                waits && fourth == 0
            }
            libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_flock => true,
            libc::SYS_fcntl => matches!(second as c_int, libc::F_SETLKW | libc::F_OFD_SETLKW),
            libc::SYS_read => is_pipe(first),
            _ => false,
        }
    }

    /// Whether a signal neither interrupts the call nor makes it transfer less: operations on files.
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
            | libc::SYS_pwritev => is_regular_file(self.arguments[0]),
            _ => false,
        }
    }

    fn name(&self) -> String {
        system_call_name(self.number)
    }
}

fn is_regular_file(fd: u64) -> bool {
    file_type(fd).is_some_and(|file_type| file_type.is_file())
}

fn is_pipe(fd: u64) -> bool {
    file_type(fd).is_some_and(|file_type| file_type.is_fifo())
}

fn file_type(fd: u64) -> Option<FileType> {
    Some(std::fs::metadata(format!("/proc/self/fd/{fd}")).ok()?.file_type())
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

/// The return addresses on the stack of a thread, the innermost first. `interrupt` sends it the signal.
/// `None` if the thread does not respond, or if the program itself uses the signal.
fn backtrace_of<T>(tid: u32, interrupt: impl FnOnce() -> Option<T>) -> Option<Vec<u64>> {
    let mut installed = CAPTURE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*installed {
        *installed = install();
    }
    let thread = i32::try_from(tid).ok().filter(|_| *installed)?;
    COUNT.store(0, Ordering::Relaxed);
    REQUESTED.store(thread, Ordering::Release);
    let interrupted = interrupt();
    let begin = Instant::now();
    while interrupted.is_some()
        && REQUESTED.load(Ordering::Acquire) == thread
        && begin.elapsed() < TIMEOUT
    {
        std::thread::sleep(Duration::from_micros(100));
    }
    drop(interrupted);
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
    fn start(thread: u32) -> Option<Self> {
        let thread = i32::try_from(thread).ok()?;
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
    let thread = rustix::thread::gettid().as_raw_nonzero().get();
    // SAFETY: the location of `errno` has no preconditions.
    let errno = unsafe { *libc::__errno_location() };
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
    follow_frame_pointers();
}

/// Stores the frames behind the last one that the unwinder has found. It ends there if the function has no
/// tables, and at the first function of the thread, whose frame pointer leads nowhere.
fn follow_frame_pointers() {
    let mut pointer = FRAME_POINTER.load(Ordering::Relaxed);
    let mut at = COUNT.load(Ordering::Relaxed);
    while let (Some(frame), Some([next, address])) = (FRAMES.get(at), read_frame(pointer)) {
        if address == 0 || next <= pointer || next - pointer > MAX_FRAME_SIZE {
            break;
        }
        frame.store(address, Ordering::Relaxed);
        at += 1;
        COUNT.store(at, Ordering::Relaxed);
        pointer = next;
    }
}

/// The two words at a frame pointer: that of the caller, and the return address.
fn read_frame(pointer: usize) -> Option<[usize; 2]> {
    if pointer == 0 || !pointer.is_multiple_of(align_of::<usize>()) {
        return None;
    }
    let mut words = [0usize; 2];
    let local = libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: size_of_val(&words) };
    let remote = libc::iovec { iov_base: pointer as *mut c_void, iov_len: size_of_val(&words) };
    // SAFETY: the kernel copies from this process into `words`. It reports an address that is not mapped,
    // so the pointer may be anything. The call is permitted in a signal handler.
    let copied = unsafe {
        libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0)
    };
    (copied == size_of_val(&words) as isize).then_some(words)
}

extern "C" fn on_frame(context: *mut c_void, _: *mut c_void) -> c_int {
    const CONTINUE: c_int = 0;
    const END: c_int = 5;
    let at = COUNT.load(Ordering::Relaxed);
    let Some(frame) = FRAMES.get(at) else { return END };
    // SAFETY: the unwinder passes a valid context.
    let (address, begin) = unsafe { (_Unwind_GetIP(context), _Unwind_GetRegionStart(context)) };
    frame.store(address, Ordering::Relaxed);
    // SAFETY: the register is saved in every frame, because functions preserve it.
    let pointer =
        FRAME_POINTER_REGISTER.map(|register| unsafe { _Unwind_GetGR(context, register) });
    FRAME_POINTER.store(pointer.unwrap_or(0), Ordering::Relaxed);
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
    fn _Unwind_GetGR(context: *mut c_void, register: c_int) -> usize;
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
    #[cfg_attr(target_feature = "crt-static", ignore = "musl has no `dladdr` in static programs")]
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

    /// The stack of a thread once it is in the system call `name`.
    fn frames_in(tid: u32, name: &str) -> Vec<u64> {
        let begin = Instant::now();
        loop {
            // The thread is on its way to the system call, or too late to walk its stack in time.
            match activity_of(tid) {
                Activity::SystemCall { name: found, frames }
                    if found == name && !frames.is_empty() =>
                {
                    return frames;
                }
                activity => assert!(begin.elapsed() < Duration::from_secs(60), "{activity:?}"),
            }
        }
    }

    #[test]
    fn a_thread_in_a_sleep_is_not_interrupted() {
        let sleep = |tid: &AtomicUsize| {
            tid.store(current_tid() as usize, Ordering::Release);
            let time = libc::timespec { tv_sec: 0, tv_nsec: 300_000_000 };
            // SAFETY: the pointer to the time is valid.
            let slept = unsafe { libc::nanosleep(&raw const time, std::ptr::null_mut()) };
            assert_eq!(slept, 0, "the sleep was interrupted");
        };
        with_thread(sleep, |tid| {
            let sleeps = || {
                let call = SystemCall::of(tid);
                call.is_some_and(|call| call.name().ends_with("nanosleep"))
            };
            let begin = Instant::now();
            // On a busy machine the sleep may be over before this thread runs.
            while !sleeps() && begin.elapsed() < Duration::from_secs(1) {
                std::thread::yield_now();
            }
            let (activity, still) = (activity_of(tid), sleeps());
            let Activity::SystemCall { frames, .. } = activity else {
                assert!(!still, "{activity:?}");
                return;
            };
            assert!(!still || frames.is_empty());
        });
    }

    #[test]
    fn a_thread_that_waits_has_a_stack_and_goes_on_waiting() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let read = |tid: &AtomicUsize| {
            tid.store(current_tid() as usize, Ordering::Release);
            let result = rustix::io::read(&reader, &mut [0; 1]);
            assert_eq!(result, Ok(1));
        };
        with_thread(read, |tid| {
            frames_in(tid, "read");
            rustix::io::write(&writer, &[1]).unwrap();
        });
    }

    #[test]
    #[cfg_attr(target_env = "musl", ignore = "musl has no unwind tables")]
    fn a_thread_that_waits_for_a_lock_has_a_stack() {
        let lock = Mutex::new(());
        let guard = lock.lock().unwrap();
        let wait = |tid: &AtomicUsize| {
            tid.store(current_tid() as usize, Ordering::Release);
            drop(lock.lock());
        };
        with_thread(wait, |tid| {
            frames_in(tid, "futex");
            drop(guard);
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

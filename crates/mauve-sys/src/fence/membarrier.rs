//! The pair of fences on Linux: the kernel makes all threads of the process pass a fence.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering, compiler_fence};
use std::time::Duration;

const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

/// See the [module](super). Orders only what the compiler does.
#[inline(always)]
pub fn light() {
    compiler_fence(Ordering::SeqCst);
}

/// Registers the process for [`heavy`] while it has one thread. Later that takes ten milliseconds, in
/// which other threads of the program overtake the caller of `heavy`.
pub fn prepare() {
    static PREPARED: AtomicBool = AtomicBool::new(false);
    if !PREPARED.swap(true, Ordering::Relaxed) && has_one_thread() {
        membarrier(REGISTER_PRIVATE_EXPEDITED);
    }
}

/// Whether the process has only the calling thread. False if that is not known.
fn has_one_thread() -> bool {
    // SAFETY: the name is a C string.
    let variable = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__libc_single_threaded".as_ptr()) };
    // SAFETY: null, or a variable of glibc 2.32 or later with this type.
    unsafe { variable.cast::<c_char>().as_ref() }.is_some_and(|single| *single != 0)
}

/// See the [module](super). Takes a few microseconds.
#[cold]
pub fn heavy() {
    super::full();
    // The first call of a process is refused, because the process is not registered.
    let ordered = membarrier(PRIVATE_EXPEDITED)
        || membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED);
    if !ordered {
        // Linux before 4.14, or a sandbox. A processor keeps a write to itself for far less than this.
        crate::clock::sleep(Duration::from_millis(1));
        super::full();
    }
}

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: the call takes two numbers, and no memory.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0) == 0 }
}

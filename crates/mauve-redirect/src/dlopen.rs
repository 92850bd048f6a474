//! The `dlopen` of programs: calls the one of the C library, and redirects what it has loaded.
//!
//! The C library searches the folders of the calling object if the name has no slash, and finds the caller
//! by the return address. For such names the function therefore jumps, and does not call. What they load may
//! be in use before the next call, so it keeps its libuv.

use std::arch::naked_asm;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::objects;
use crate::{REDIRECTOR, Redirector};

/// What [`dlopen`] does with a name.
#[repr(C)]
struct Way {
    /// The address of the C library's function.
    function: usize,
    /// Whether to call it, rather than to jump.
    is_called: usize,
}

extern "C" fn way(name: *const c_char) -> Way {
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let mut function = REAL.load(Ordering::Relaxed);
    if function == 0 {
        function = objects::real_dlopen();
        REAL.store(function, Ordering::Relaxed);
    }
    if function == 0 {
        // A program that calls `dlopen` has been linked with one.
        std::process::abort();
    }
    // SAFETY: null, or a string by the contract of `dlopen`.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_bytes());
    // `$ORIGIN` is the folder of the caller.
    let is_path = name.is_some_and(|name| name.contains(&b'/') && !name.contains(&b'$'));
    if is_path {
        redirect_loaded();
    } else if name.is_some() {
        BY_NAME.fetch_add(1, Ordering::Relaxed);
    }
    Way { function, is_called: is_path.into() }
}

/// How many objects were loaded without a call of [`loaded`].
static BY_NAME: AtomicUsize = AtomicUsize::new(0);

/// Redirects the objects that were loaded since the last call, unless one of them was loaded by its name.
fn redirect_loaded() {
    let by_name = BY_NAME.load(Ordering::Relaxed);
    REDIRECTOR.with(Redirector::new, |redirector| {
        let is_late = std::mem::replace(&mut redirector.by_name, by_name) != by_name;
        redirector.redirect_new_objects(is_late.then_some(LATE));
    });
}

const LATE: &str = "a library was loaded without its path, and may be in use already";

extern "C" fn loaded() {
    redirect_loaded();
    // A program may read the error after a success, which has none.
    // SAFETY: clears the error of this thread.
    unsafe { libc::dlerror() };
}

#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void {
    naked_asm!(
        // The arguments, and eight bytes that align the stack.
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {way}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rdx, rdx",
        "jne 2f",
        "jmp rax",
        "2:",
        "sub rsp, 8",
        "call rax",
        "test rax, rax",
        "je 3f",
        "mov [rsp], rax",
        "call {loaded}",
        "mov rax, [rsp]",
        "3:",
        "add rsp, 8",
        "ret",
        way = sym way,
        loaded = sym loaded,
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void {
    naked_asm!(
        "stp x29, x30, [sp, -32]!",
        "mov x29, sp",
        "stp x0, x1, [sp, 16]",
        "bl {way}",
        "mov x16, x0",
        "mov x17, x1",
        "ldp x0, x1, [sp, 16]",
        "cbnz x17, 2f",
        "ldp x29, x30, [sp], 32",
        "br x16",
        "2:",
        "blr x16",
        "cbz x0, 3f",
        "str x0, [sp, 16]",
        "bl {loaded}",
        "ldr x0, [sp, 16]",
        "3:",
        "ldp x29, x30, [sp], 32",
        "ret",
        way = sym way,
        loaded = sym loaded,
    )
}

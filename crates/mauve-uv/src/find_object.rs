//! `_dl_find_object`, for the unwinder that is linked into the library (`build.rs`).
//!
//! The unwinder finds the tables of a function with this function of glibc 2.35. With a definition of its
//! own, the library loads with older versions, too. The definition is hidden: programs and other libraries
//! use that of glibc. It is weak, because a statically linked program has that of glibc, too.
//!
//! It calls glibc's function if there is one, because that takes no lock: the watchdog unwinds in a signal
//! handler.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use libc::{PT_GNU_EH_FRAME, PT_LOAD, dl_phdr_info};

/// The result, as glibc declares it. The unwinder reads only `eh_frame`.
#[repr(C)]
struct Found {
    flags: u64,
    start: usize,
    end: usize,
    link_map: usize,
    /// The address of the segment with the table of functions.
    eh_frame: usize,
    reserved: [u64; 7],
}

struct Search {
    address: usize,
    found: Option<usize>,
}

/// The instruction that jumps to a function.
#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    () => {
        "jmp {find}"
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    () => {
        "b {find}"
    };
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! jump {
    () => {
        "tail {find}"
    };
}

std::arch::global_asm!(
    ".weak _dl_find_object",
    ".hidden _dl_find_object",
    ".type _dl_find_object, %function",
    "_dl_find_object:",
    jump!(),
    find = sym find,
);

/// The address of glibc's function, or zero.
static OF_GLIBC: AtomicUsize = AtomicUsize::new(0);

/// Looks for glibc's function. A signal handler could not do that.
pub(crate) fn prepare() {
    // SAFETY: the name is a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_dl_find_object".as_ptr()) };
    OF_GLIBC.store(address as usize, Ordering::Relaxed);
}

/// Finds the object whose code contains `address`. Returns zero, or -1 if there is none.
unsafe extern "C" fn find(address: *mut c_void, found: *mut Found) -> c_int {
    let of_glibc = OF_GLIBC.load(Ordering::Relaxed);
    if of_glibc != 0 {
        type Function = unsafe extern "C" fn(*mut c_void, *mut Found) -> c_int;
        // SAFETY: the address of the function with this type, which glibc documents.
        return unsafe { std::mem::transmute::<usize, Function>(of_glibc)(address, found) };
    }
    let mut search = Search { address: address as usize, found: None };
    // SAFETY: the callback gets a pointer to `search`, which is valid during the call.
    unsafe { libc::dl_iterate_phdr(Some(check_object), (&raw mut search).cast()) };
    let Some(eh_frame) = search.found else { return -1 };
    // SAFETY: the unwinder passes a pointer to writable memory.
    unsafe { (*found).eh_frame = eh_frame };
    0
}

/// Checks one loaded object. Returns 1 to end the iteration.
unsafe extern "C" fn check_object(info: *mut dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes a valid `info` with its headers, and `find` passes `search`.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: as above.
    let headers =
        unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let address_of = |header: &libc::Elf64_Phdr| info.dlpi_addr as usize + header.p_vaddr as usize;
    let contains = |header: &libc::Elf64_Phdr| {
        header.p_type == PT_LOAD
            && search.address.wrapping_sub(address_of(header)) < header.p_memsz as usize
    };
    if !headers.iter().any(contains) {
        return 0;
    }
    search.found = headers.iter().find(|header| header.p_type == PT_GNU_EH_FRAME).map(address_of);
    1
}

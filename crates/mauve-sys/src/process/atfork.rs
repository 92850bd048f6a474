//! Whether somebody counts on `pthread_atfork` when a child is started.
//!
//! A child that borrows its parent's memory cannot run the handlers of a fork, and libuv runs none
//! either. But there are libraries that start children through libuv and register a handler to do
//! something in the child before the program takes over: uvloop is one, and so runs Python's
//! `preexec_fn`. Such a library has both functions among the symbols that it imports; for its sake
//! children are forked. Programs are not looked at, only libraries: those that have both for
//! unrelated reasons, as Node.js does, need no handler to run before an exec.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

/// What was found, and when: twice the count of objects loaded so far, plus the answer.
static KNOWN: AtomicU64 = AtomicU64::new(u64::MAX);

/// Whether a library that is loaded wants its handlers run.
pub(super) fn is_wanted() -> bool {
    let mut found = Found { loaded: 0, wanted: false };
    // SAFETY: the function gets what it is declared for, during the call.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
    KNOWN.store(found.loaded << 1 | u64::from(found.wanted), Ordering::Relaxed);
    found.wanted
}

struct Found {
    loaded: u64,
    wanted: bool,
}

/// Looks at one object; returns whether that is enough.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: `is_wanted` passes the one, and the loader the other.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Found>()) };
    found.loaded = info.dlpi_adds;
    let known = KNOWN.load(Ordering::Relaxed);
    if known >> 1 == found.loaded {
        found.wanted = known & 1 == 1;
        return 1;
    }
    // SAFETY: the name of a loaded object is a string, or null.
    let name = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
    let is_library = name.is_some_and(|name| !name.is_empty() && name != c"linux-vdso.so.1");
    // SAFETY: the loader vouches for the object while this function runs.
    found.wanted = is_library && unsafe { imports_both(info) };
    c_int::from(found.wanted)
}

/// # Safety
/// The object is loaded.
unsafe fn imports_both(info: &libc::dl_phdr_info) -> bool {
    // SAFETY: promised by the caller; so are all reads below, inside of the object's tables.
    let Some(tables) = (unsafe { Tables::find(info) }) else { return false };
    let mut missing = [c"uv_spawn", c"__register_atfork"].map(Some);
    for index in 1..tables.imports {
        // SAFETY: what is imported stands in front of what is found by its hash.
        let name = unsafe {
            let symbol = &*tables.symbols.add(index as usize);
            CStr::from_ptr(tables.strings.add(symbol.st_name as usize))
        };
        for wanted in &mut missing {
            if *wanted == Some(name) {
                *wanted = None;
            }
        }
    }
    missing == [None, None]
}

/// Where the names that an object imports are.
struct Tables {
    symbols: *const libc::Elf64_Sym,
    strings: *const c_char,
    imports: u32,
}

impl Tables {
    /// # Safety
    /// The object is loaded.
    unsafe fn find(info: &libc::dl_phdr_info) -> Option<Self> {
        const STRINGS: u64 = 5;
        const SYMBOLS: u64 = 6;
        const HASH: u64 = 0x6fff_fef5;
        let base = info.dlpi_addr;
        // SAFETY: the loader says how many there are.
        let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
        let mut entry = (base + dynamic.p_vaddr) as *const [u64; 2];
        let [mut symbols, mut strings, mut hash] = [0; 3];
        loop {
            // SAFETY: the list ends with an entry whose tag is zero.
            let [tag, value] = unsafe { *entry };
            match tag {
                0 => break,
                STRINGS => strings = value,
                SYMBOLS => symbols = value,
                HASH => hash = value,
                _ => {}
            }
            entry = entry.wrapping_add(1);
        }
        if symbols < base || strings < base || hash < base || hash == 0 {
            return None;
        }
        // SAFETY: the second word of this table says where the symbols begin that are in it.
        let imports = unsafe { *(hash as *const u32).add(1) };
        Some(Self { symbols: symbols as *const _, strings: strings as *const _, imports })
    }
}

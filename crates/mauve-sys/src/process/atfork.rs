//! Detects libraries that rely on `pthread_atfork` handlers in children of `uv_spawn`.
//!
//! A child in its parent's memory (`CLONE_VM`) cannot run fork handlers. But some libraries start
//! children through libuv and register a handler that runs in the child before `exec`: uvloop runs
//! Python's `preexec_fn` this way. Such a library imports `__register_atfork`, and imports or defines
//! `uv_spawn`: uvloop's wheel has libuv linked in, and is redirected to this library. If one is loaded,
//! children are started with `fork`. Only libraries are checked: an executable that uses both for
//! unrelated reasons, such as Node.js, needs no handler before `exec`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::module::contains;

/// The cached result: twice the number of objects loaded at that time, plus one if it is true.
static CACHED: AtomicU64 = AtomicU64::new(u64::MAX);

/// Whether a loaded library needs its fork handlers to run.
pub(crate) fn handlers_needed() -> bool {
    let mut search = Search { loaded: 0, needed: false };
    // SAFETY: the callback gets a pointer to `search`, which is valid during the call.
    unsafe { libc::dl_iterate_phdr(Some(check_object), (&raw mut search).cast()) };
    CACHED.store(search.loaded << 1 | u64::from(search.needed), Ordering::Relaxed);
    search.needed
}

struct Search {
    /// How many objects the dynamic linker has loaded so far.
    loaded: u64,
    needed: bool,
}

/// Checks one loaded object. Returns 1 to end the iteration.
unsafe extern "C" fn check_object(
    info: *mut libc::dl_phdr_info,
    _: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the dynamic linker passes a valid `info`, and `handlers_needed` passes `search`.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    search.loaded = info.dlpi_adds;
    let cached = CACHED.load(Ordering::Relaxed);
    if cached >> 1 == search.loaded {
        search.needed = cached & 1 == 1;
        return 1;
    }
    // SAFETY: the name of a loaded object is null or a null-terminated string.
    let name = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
    let is_library = name.is_some_and(|name| !name.is_empty() && name != c"linux-vdso.so.1");
    // SAFETY: the dynamic linker does not unload the object during the callback.
    search.needed =
        is_library && unsafe { !contains(info, check_object as *const ()) && uses_both(info) };
    c_int::from(search.needed)
}

/// Whether the object imports `__register_atfork`, and imports or defines `uv_spawn`.
///
/// # Safety
/// The object is loaded.
unsafe fn uses_both(info: &libc::dl_phdr_info) -> bool {
    const REGISTER: &CStr = c"__register_atfork";
    const SPAWN: &CStr = c"uv_spawn";
    // SAFETY: the caller promises that the object is loaded.
    let Some(tables) = (unsafe { Tables::find(info) }) else { return false };
    // SAFETY: imported symbols precede the hashed ones in the symbol table.
    let imports = |name| (1..tables.imports).any(|index| unsafe { tables.name(index) } == name);
    // SAFETY: the caller promises that the object is loaded.
    imports(REGISTER) && (imports(SPAWN) || unsafe { tables.defines(SPAWN) })
}

/// The symbol tables of an object.
struct Tables {
    symbols: *const libc::Elf64_Sym,
    strings: *const c_char,
    /// The hash table of the GNU linkers.
    hash: *const u32,
    /// The number of imported symbols, which come first.
    imports: u32,
}

impl Tables {
    /// # Safety
    /// The object is loaded.
    unsafe fn find(info: &libc::dl_phdr_info) -> Option<Self> {
        const DT_STRTAB: u64 = 5;
        const DT_SYMTAB: u64 = 6;
        const DT_GNU_HASH: u64 = 0x6fff_fef5;
        let base = info.dlpi_addr;
        // SAFETY: the dynamic linker provides the address and the number of program headers.
        let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
        let mut entry = (base + dynamic.p_vaddr) as *const [u64; 2];
        let [mut symbols, mut strings, mut hash] = [0; 3];
        loop {
            // SAFETY: the dynamic section ends with an entry whose tag is zero.
            let [tag, value] = unsafe { *entry };
            match tag {
                0 => break,
                DT_STRTAB => strings = value,
                DT_SYMTAB => symbols = value,
                DT_GNU_HASH => hash = value,
                _ => {}
            }
            entry = entry.wrapping_add(1);
        }
        if symbols < base || strings < base || hash < base || hash == 0 {
            return None;
        }
        // SAFETY: the second field of the GNU hash table is the index of the first hashed symbol.
        let imports = unsafe { *(hash as *const u32).add(1) };
        let (symbols, strings, hash) = (symbols as *const _, strings as *const _, hash as *const _);
        Some(Self { symbols, strings, hash, imports })
    }

    /// # Safety
    /// The object is loaded, and has a symbol with this index.
    unsafe fn name(&self, index: u32) -> &CStr {
        // SAFETY: the name is a null-terminated string of the string table.
        unsafe {
            let symbol = &*self.symbols.add(index as usize);
            CStr::from_ptr(self.strings.add(symbol.st_name as usize))
        }
    }

    /// Whether the object defines a symbol.
    ///
    /// # Safety
    /// The object is loaded.
    unsafe fn defines(&self, name: &CStr) -> bool {
        let add = |hash: u32, byte: &u8| hash.wrapping_mul(33).wrapping_add((*byte).into());
        let wanted = name.to_bytes().iter().fold(5381, add);
        // SAFETY: the header has four numbers. The words of a filter, the buckets and the chains follow. A
        // bucket refers to a chain, which ends where the lowest bit is set.
        unsafe {
            let [buckets, first, filter, _] = self.hash.cast::<[u32; 4]>().read();
            let table = self.hash.add(4 + 2 * filter as usize);
            let chains = table.add(buckets as usize);
            let bucket =
                wanted.checked_rem(buckets).map(|bucket| table.add(bucket as usize).read());
            let Some(mut index) = bucket.filter(|index| *index >= first) else { return false };
            loop {
                let hash = chains.add((index - first) as usize).read();
                if hash | 1 == wanted | 1 && self.name(index) == name {
                    return true;
                }
                if hash & 1 == 1 {
                    return false;
                }
                index += 1;
            }
        }
    }
}

//! The objects that the dynamic loader has loaded, and the functions that they export.
//!
//! Reads the tables that the loader itself uses: the hash table and the symbol table that it refers to. They
//! are part of the object's memory, and stay valid while it is loaded.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::fs::File;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::ptr::null;

/// A function in memory.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub address: usize,
    pub size: usize,
    /// The loader calls it, and uses the function that it returns (IFUNC).
    pub is_indirect: bool,
}

/// A loaded object: the program or a shared library.
pub struct Object {
    /// The path; empty for the program.
    path: CString,
    segments: Vec<Segment>,
    symbols: Symbols,
}

/// A part of an object in memory.
pub struct Segment {
    pub memory: Range<usize>,
    /// The protection, in the numbers of `mprotect`.
    pub protection: c_int,
    /// The position in the file.
    pub offset: usize,
}

/// The tables of dynamic symbols.
struct Symbols {
    base: usize,
    table: *const Symbol,
    strings: *const c_char,
    hash: Hash,
}

// SAFETY: the tables are constant while the object is loaded, so every thread may read them.
unsafe impl Send for Symbols {}

/// The hash table.
enum Hash {
    /// That of the GNU linkers.
    Gnu(GnuHash),
    /// The older one. Few objects have only this, so its buckets are not used.
    SystemV { symbols: u32 },
}

/// The header of the hash table of the GNU linkers, and pointers to its arrays.
struct GnuHash {
    first: u32,
    bloom: &'static [usize],
    shift: u32,
    buckets: &'static [u32],
    chains: *const u32,
}

#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: u64,
    size: u64,
}

/// An entry of the dynamic section.
#[repr(C)]
struct Entry {
    tag: u64,
    value: u64,
}

const DT_NULL: u64 = 0;
const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_GNU_HASH: u64 = 0x6fff_fef5;
/// The type of a function that was written in assembler.
const STT_NOTYPE: u8 = 0;
const STT_FUNC: u8 = 2;
const STT_GNU_IFUNC: u8 = 10;
/// The section of a symbol that is no address.
const SHN_ABS: u16 = 0xfff1;

/// The objects that were seen, by the address of their dynamic section.
pub struct Seen {
    dynamic: Vec<usize>,
    /// How many objects had been unloaded then. Another object may have the address of one of these.
    unloaded: u64,
}

impl Seen {
    pub const fn new() -> Self {
        Self { dynamic: Vec::new(), unloaded: 0 }
    }
}

/// The loaded objects that were not seen yet and that `wanted` accepts. No object is unloaded during that
/// call, so `wanted` may read its symbols.
pub fn loaded(seen: &mut Seen, mut wanted: impl FnMut(&Object) -> bool) -> Vec<Object> {
    let mut state = Collected { seen, wanted: &mut wanted, objects: Vec::new() };
    // SAFETY: the callback has the type that is passed as data.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut state).cast()) };
    state.objects
}

struct Collected<'a> {
    seen: &'a mut Seen,
    wanted: &'a mut dyn FnMut(&Object) -> bool,
    objects: Vec<Object>,
}

unsafe extern "C" fn collect(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    state: *mut c_void,
) -> c_int {
    // SAFETY: `loaded` passes this type, and nothing else uses it during the call.
    let Collected { seen, wanted, objects } = unsafe { &mut *state.cast::<Collected<'_>>() };
    // SAFETY: the loader passes a valid description.
    let info = unsafe { &*info };
    if seen.unloaded != info.dlpi_subs {
        **seen = Seen { dynamic: Vec::new(), unloaded: info.dlpi_subs };
    }
    // SAFETY: the object is loaded, and the loader keeps it so during the call.
    objects.extend(unsafe { Object::new(info, seen) }.filter(|object| wanted(object)));
    0
}

impl Object {
    /// Reads the tables of an object.
    ///
    /// # Safety
    ///
    /// The object must be loaded, and stay so while the value is used. [`pin`](Self::pin) ensures that.
    unsafe fn new(info: &libc::dl_phdr_info, seen: &mut Seen) -> Option<Self> {
        let base = info.dlpi_addr as usize;
        // SAFETY: the program headers of a loaded object are in its memory.
        let headers =
            unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
        let dynamic = base + dynamic.p_vaddr as usize;
        if seen.dynamic.contains(&dynamic) {
            return None;
        }
        seen.dynamic.push(dynamic);
        let loads = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
        let segments = loads.map(|header| Segment {
            memory: base + header.p_vaddr as usize
                ..base + (header.p_vaddr + header.p_memsz) as usize,
            protection: protection(header.p_flags),
            offset: header.p_offset as usize,
        });
        // SAFETY: the section is in the memory of the object, and ends with a null entry.
        let symbols = unsafe { Symbols::new(base, dynamic as *const Entry) }?;
        let path = if info.dlpi_name.is_null() {
            c""
        } else {
            // SAFETY: a string of the loader, which it keeps as long as the object.
            unsafe { CStr::from_ptr(info.dlpi_name) }
        };
        let path = path.to_owned();
        Some(Self { path, segments: segments.collect(), symbols })
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        if !self.path.is_empty() {
            return self.path.to_string_lossy().into_owned();
        }
        let program = std::env::current_exe();
        program.map_or_else(|_| "the program".to_owned(), |path| path.display().to_string())
    }

    /// Opens the file of the object. Returns its path if that fails.
    pub fn open_file(&self) -> Result<File, (PathBuf, std::io::Error)> {
        let open = |path: &CStr| {
            let path = Path::new(OsStr::from_bytes(path.to_bytes()));
            File::open(path).map_err(|error| (path.to_owned(), error))
        };
        if !self.path.is_empty() {
            return open(&self.path);
        }
        // Without `/proc`, the path that was executed is the best guess.
        open(c"/proc/self/exe").or_else(|error| executed_path().map_or(Err(error), open))
    }

    /// Waits until the loader has relocated the object, and keeps it loaded for ever.
    pub fn pin(&self) -> Result<(), String> {
        let name = if self.path.is_empty() { null() } else { self.path.as_ptr() };
        // SAFETY: a valid name. The loader holds its lock while another thread loads an object, so this
        // call waits for it. With RTLD_NOLOAD nothing is loaded.
        let handle = unsafe { crate::objects::open(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if handle.is_null() { Err(loader_error()) } else { Ok(()) }
    }

    /// Whether an address is in the object.
    pub fn contains(&self, address: usize) -> bool {
        self.segments.iter().any(|segment| segment.memory.contains(&address))
    }

    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The exported function with this name.
    pub fn find(&self, name: &CStr) -> Option<Function> {
        let Hash::Gnu(table) = &self.symbols.hash else {
            return self
                .functions()
                .find(|(found, _)| *found == name)
                .map(|(_, function)| function);
        };
        let hash = name
            .to_bytes()
            .iter()
            .fold(5381u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(*byte)));
        let bits = usize::BITS;
        let word = table.bloom[(hash / bits) as usize % table.bloom.len()];
        if word >> (hash % bits) & word >> ((hash >> table.shift) % bits) & 1 == 0 {
            return None;
        }
        let bucket = table.buckets[hash as usize % table.buckets.len()];
        let candidates = table.chain(bucket);
        let same = candidates.filter(|(_, found)| found | 1 == hash | 1);
        let mut functions = same.filter_map(|(index, _)| self.symbols.function(index));
        functions.find(|(found, _)| *found == name).map(|(_, function)| function)
    }

    /// All exported functions.
    pub fn functions(&self) -> impl Iterator<Item = (&'static CStr, Function)> {
        let (buckets, others) = match &self.symbols.hash {
            Hash::Gnu(table) => (Some(table), 0..0),
            Hash::SystemV { symbols } => (None, 0..*symbols),
        };
        let chains = buckets.into_iter().flat_map(|table| {
            table.buckets.iter().flat_map(|bucket| table.chain(*bucket)).map(|(index, _)| index)
        });
        chains.chain(others).filter_map(|index| self.symbols.function(index))
    }
}

impl Symbols {
    /// Finds the tables through the dynamic section. None if the object has no hash table.
    ///
    /// # Safety
    ///
    /// `entry` must point to the dynamic section of an object that is loaded at `base`.
    unsafe fn new(base: usize, mut entry: *const Entry) -> Option<Self> {
        let (mut table, mut strings, mut hash, mut system_v) = (None, None, None, None);
        // glibc has replaced these addresses by absolute ones, except in objects of the kernel.
        let absolute =
            |value: u64| Some(if (value as usize) < base { base } else { 0 } + value as usize);
        loop {
            // SAFETY: not beyond the null entry.
            let (tag, value) = unsafe { ((*entry).tag, (*entry).value) };
            match tag {
                DT_NULL => break,
                DT_SYMTAB => table = absolute(value),
                DT_STRTAB => strings = absolute(value),
                DT_GNU_HASH => hash = absolute(value),
                DT_HASH => system_v = absolute(value),
                _ => {}
            }
            // SAFETY: this was not the last entry.
            entry = unsafe { entry.add(1) };
        }
        let hash = match hash {
            // SAFETY: the address is that of the hash table.
            Some(hash) => Hash::Gnu(unsafe { GnuHash::new(hash as *const u32) }?),
            // SAFETY: the header of this table has the numbers of buckets and of symbols.
            None => Hash::SystemV { symbols: unsafe { (system_v? as *const u32).add(1).read() } },
        };
        Some(Self {
            base,
            table: table? as *const Symbol,
            strings: strings? as *const c_char,
            hash,
        })
    }

    /// The function of a symbol. None for data and for what the object imports.
    fn function(&self, index: u32) -> Option<(&'static CStr, Function)> {
        // SAFETY: the hash table contains only indices of the symbol table.
        let symbol = unsafe { &*self.table.add(index as usize) };
        let kind = symbol.info & 0xf;
        let is_function = matches!(kind, STT_NOTYPE | STT_FUNC | STT_GNU_IFUNC);
        if !is_function || matches!(symbol.section, 0 | SHN_ABS) {
            return None;
        }
        // SAFETY: the offset of a string in the string table.
        let name = unsafe { CStr::from_ptr(self.strings.add(symbol.name as usize)) };
        let address = self.base + symbol.value as usize;
        let is_indirect = kind == STT_GNU_IFUNC;
        Some((name, Function { address, size: symbol.size as usize, is_indirect }))
    }
}

impl GnuHash {
    /// # Safety
    ///
    /// `table` must be the GNU hash table of a loaded object.
    unsafe fn new(table: *const u32) -> Option<Self> {
        // SAFETY: the header has four numbers.
        let [buckets, first, bloom, shift] = unsafe { table.cast::<[u32; 4]>().read() };
        if buckets == 0 || bloom == 0 {
            return None;
        }
        // SAFETY: the header is followed by the words of the filter, the buckets and the chains. The
        // numbers of words and buckets are in the header.
        unsafe {
            let words = table.add(4).cast::<usize>();
            let after = words.add(bloom as usize).cast::<u32>();
            Some(Self {
                first,
                bloom: std::slice::from_raw_parts(words, bloom as usize),
                shift,
                buckets: std::slice::from_raw_parts(after, buckets as usize),
                chains: after.add(buckets as usize),
            })
        }
    }

    /// The symbols of a bucket: index, and hash with the lowest bit replaced.
    fn chain(&self, bucket: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (first, chains) = (self.first, self.chains);
        let mut next = (bucket >= first).then_some(bucket);
        std::iter::from_fn(move || {
            let index = next?;
            // SAFETY: each bucket refers to a chain, which ends where the lowest bit is set.
            let hash = unsafe { chains.add((index - first) as usize).read() };
            next = (hash & 1 == 0).then_some(index + 1);
            Some((index, hash))
        })
    }
}

/// Loads a library for this object alone. Returns the address of one of its functions.
pub fn load(path: &CStr, function: &CStr) -> Result<usize, String> {
    // SAFETY: valid names. The initialisation of mauve's library calls nothing of the program.
    let address = unsafe {
        let handle = open(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return Err(loader_error());
        }
        libc::dlsym(handle, function.as_ptr())
    };
    if address.is_null() { Err(loader_error()) } else { Ok(address as usize) }
}

/// The path of the object that contains an address.
pub fn path_of(address: usize) -> Option<&'static CStr> {
    let mut info = libc::Dl_info {
        dli_fname: null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: fills the struct if it returns a number other than 0.
    let found = unsafe { libc::dladdr(address as *const c_void, &mut info) } != 0;
    // SAFETY: a string of the loader, which it keeps as long as the object.
    (found && !info.dli_fname.is_null()).then(|| unsafe { CStr::from_ptr(info.dli_fname) })
}

/// Whether the C library has started a thread. Before glibc 2.32 this is not known. `/proc/self/task` has the
/// threads of emulators, too.
pub fn has_started_threads() -> bool {
    // SAFETY: a valid name. The variable is a byte, and stays valid.
    unsafe {
        let single = libc::dlsym(libc::RTLD_DEFAULT, c"__libc_single_threaded".as_ptr());
        !single.is_null() && single.cast::<u8>().read_volatile() == 0
    }
}

/// The path with which the program was executed. It may be relative to the directory of that time.
fn executed_path() -> Option<&'static CStr> {
    // SAFETY: returns a number.
    let path = unsafe { libc::getauxval(libc::AT_EXECFN) } as *const c_char;
    // SAFETY: a string of the kernel, at the end of the stack.
    (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })
}

/// The `dlopen` of the C library. This object exports a function with the same name.
pub fn real_dlopen() -> usize {
    // SAFETY: a valid name.
    unsafe { libc::dlsym(libc::RTLD_NEXT, c"dlopen".as_ptr()) as usize }
}

/// # Safety
///
/// As `dlopen`.
unsafe fn open(name: *const c_char, flags: c_int) -> *mut c_void {
    let real = real_dlopen();
    if real == 0 {
        return std::ptr::null_mut();
    }
    // SAFETY: the C library's function has this type.
    let real: unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void =
        unsafe { std::mem::transmute(real) };
    // SAFETY: the caller's arguments.
    unsafe { real(name, flags) }
}

/// The message of the loader about the last failed call of this thread.
fn loader_error() -> String {
    // SAFETY: returns a string that is valid until the next call, or null.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return "the loader has no dlopen".to_owned();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

fn protection(flags: u32) -> c_int {
    let part = |flag, protection| if flags & flag != 0 { protection } else { 0 };
    part(libc::PF_R, libc::PROT_READ)
        | part(libc::PF_W, libc::PROT_WRITE)
        | part(libc::PF_X, libc::PROT_EXEC)
}

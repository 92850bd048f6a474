//! Writes the jumps into an object, all of them or none.
//!
//! Everything that can fail is tried before the first byte of the object changes: the short jumps are
//! computed, the page of long jumps is mapped and made executable, and a private page of the object's
//! file is changed and made executable, which is what security policies may forbid.

use std::ffi::{CStr, c_int, c_void};
use std::io::Error;
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::ptr::null_mut;

use crate::jump;
use crate::library::Replacement;
use crate::objects::{Function, Object, Segment};

/// Addresses are rounded to this number, which is a multiple of the page size of every kernel.
const PAGE: usize = 64 << 10;

/// The longest short jump. A function needs no more room.
const ROOM: usize = 16;

/// Makes the functions of an object jump to mauve's.
pub fn redirect(object: &Object, replacements: &[Replacement]) -> Result<(), String> {
    let segment = segment(object, replacements)?;
    let page = LongJumps::map(object, replacements)?;
    let changes = changes(segment, replacements, &page)?;
    page.make_executable()?;
    try_change(object, segment)?;
    // SAFETY: the changes are in this segment, and replace whole beginnings of functions. No thread runs
    // them: before `main` there is one thread, and an object that is loaded later is not in use yet.
    unsafe { write(segment, &changes) }?;
    std::mem::forget(page);
    Ok(())
}

/// New bytes for an address.
struct Change {
    address: usize,
    code: Vec<u8>,
}

/// The executable segment that contains all functions.
fn segment<'a>(object: &'a Object, replacements: &[Replacement]) -> Result<&'a Segment, String> {
    let (first, last) =
        replacements.first().zip(replacements.last()).ok_or("it has no functions")?;
    let mut executable =
        object.segments().iter().filter(|segment| segment.protection & libc::PROT_EXEC != 0);
    let found = executable.find(|segment| {
        segment.memory.contains(&first.function.address)
            && segment.memory.contains(&last.function.address)
    });
    found.ok_or_else(|| "its functions are not in one executable segment".to_owned())
}

fn changes(
    segment: &Segment,
    replacements: &[Replacement],
    page: &LongJumps,
) -> Result<Vec<Change>, String> {
    let next = replacements.iter().skip(1).map(|next| next.function.address);
    let ends = next.chain([segment.memory.end]);
    let jumps = replacements.iter().zip(ends).enumerate();
    let changes = jumps.map(|(index, (Replacement { name, function, .. }, end))| {
        let Function { address, size, .. } = *function;
        let room = ROOM.min(end - address);
        // SAFETY: in the segment, which is readable, and nothing writes to it.
        let code = unsafe { std::slice::from_raw_parts(address as *const u8, room) };
        let code = jump::short(code, size, address, page.address(index));
        code.map(|code| Change { address, code }).ok_or_else(|| no_room(name, size))
    });
    changes.collect()
}

fn no_room(name: &CStr, size: usize) -> String {
    format!("a jump does not fit into its function {} of {size} bytes", name.to_string_lossy())
}

/// The long jumps, in memory near an object. Unmapped when dropped.
struct LongJumps {
    begin: usize,
    size: usize,
}

impl LongJumps {
    fn map(object: &Object, replacements: &[Replacement]) -> Result<Self, String> {
        let size = (replacements.len() * jump::LONG).next_multiple_of(PAGE);
        let code: Vec<u8> =
            replacements.iter().flat_map(|replacement| jump::long(replacement.target)).collect();
        let begin = map_near(object, size)?;
        // SAFETY: the memory is new, writable and large enough.
        unsafe { (begin as *mut u8).copy_from_nonoverlapping(code.as_ptr(), code.len()) };
        Ok(Self { begin, size })
    }

    fn address(&self, index: usize) -> usize {
        self.begin + index * jump::LONG
    }

    fn make_executable(&self) -> Result<(), String> {
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: the memory of this value, which is not used otherwise.
        match unsafe { libc::mprotect(self.begin as *mut c_void, self.size, protection) } {
            0 => {
                jump::flush(self.begin, self.begin + self.size);
                Ok(())
            }
            _ => Err(forbidden("new code")),
        }
    }
}

impl Drop for LongJumps {
    fn drop(&mut self) {
        // SAFETY: the memory of this value. No jump leads to it.
        unsafe { libc::munmap(self.begin as *mut c_void, self.size) };
    }
}

/// Maps memory in reach of all functions. Below the object if possible, because the heap of a program
/// grows above it.
fn map_near(object: &Object, size: usize) -> Result<usize, String> {
    let begin = object.segments().iter().map(|segment| segment.memory.start).min().unwrap_or(0);
    let end = object.segments().iter().map(|segment| segment.memory.end).max().unwrap_or(0);
    let steps = || (0..).map(|shift| PAGE << shift).take_while(|step| *step < jump::REACH);
    let below = steps().filter_map(|step| (begin & !(PAGE - 1)).checked_sub(step.max(size)));
    // The heap is the last resort: it does without the addresses that this takes.
    let above = steps().map(|step| end.next_multiple_of(PAGE) + jump::REACH / 2 + step);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    for wanted in below.chain(above).filter(|address| *address >= PAGE) {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory, which replaces no other.
        let mapped = unsafe { libc::mmap(wanted as *mut c_void, size, protection, flags, -1, 0) };
        if mapped == wanted as *mut c_void {
            return Ok(wanted);
        }
        if mapped != libc::MAP_FAILED {
            // SAFETY: an old kernel has ignored the flag, and mapped new memory elsewhere.
            unsafe { libc::munmap(mapped, size) };
        }
    }
    Err("there is no free memory near its code".to_owned())
}

/// Tries on a private copy of a page what [`write()`] does with the object.
fn try_change(object: &Object, segment: &Segment) -> Result<(), String> {
    let named = |(path, error): (PathBuf, Error)| format!("{}: {error}", path.display());
    let file = object.open_file().map_err(named)?;
    let offset = (segment.offset & !(PAGE - 1)) as libc::off_t;
    let (both, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE);
    // SAFETY: new memory, a private copy of a part of the file. The part exists, because the object was
    // loaded from it.
    unsafe {
        let page = libc::mmap(null_mut(), PAGE, both, private, file.as_raw_fd(), offset);
        if page == libc::MAP_FAILED {
            return Err(format!("{}: {}", object.name(), Error::last_os_error()));
        }
        let byte = page.cast::<u8>();
        byte.write_volatile(byte.read_volatile());
        let result = libc::mprotect(page, PAGE, segment.protection);
        let forbidden = forbidden("changed code");
        libc::munmap(page, PAGE);
        if result == 0 { Ok(()) } else { Err(forbidden) }
    }
}

/// The message for code that must not become executable.
fn forbidden(what: &str) -> String {
    format!(
        "the system does not permit {what} ({}): a policy of SELinux (execmod, execmem), of systemd \
         (MemoryDenyWriteExecute) or of the container forbids it",
        Error::last_os_error()
    )
}

/// Writes the changes. The pages are not executable meanwhile, and have their protection again afterwards.
///
/// # Safety
///
/// No other thread may run code of the pages that contain the changes.
unsafe fn write(segment: &Segment, changes: &[Change]) -> Result<(), String> {
    let (first, last) = changes.first().zip(changes.last()).ok_or("it has no functions")?;
    // SAFETY: returns a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let begin = first.address & !(page - 1);
    let size = (last.address + ROOM).next_multiple_of(page) - begin;
    let protect = |protection: c_int| {
        // SAFETY: pages of the segment. Nothing runs there.
        unsafe { libc::mprotect(begin as *mut c_void, size, protection) == 0 }
    };
    if !protect(libc::PROT_READ | libc::PROT_WRITE) {
        return Err(forbidden("writing to code"));
    }
    for Change { address, code } in changes {
        // SAFETY: writable, and inside the function or the padding behind it.
        unsafe { (*address as *mut u8).copy_from_nonoverlapping(code.as_ptr(), code.len()) };
    }
    if !protect(segment.protection) {
        // The same change was permitted for a copy. Without it the program cannot continue.
        eprintln!("mauve: {}", forbidden("changed code"));
        std::process::abort();
    }
    jump::flush(begin, begin + size);
    Ok(())
}

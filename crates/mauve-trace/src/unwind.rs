//! The stack of a thread of another process, from its registers, a copy of its stack, and the unwind tables of
//! the files that it has mapped. Where there are no tables, as in V8's code, frame pointers are followed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gimli::{BaseAddresses, CfaRule, EhFrame, EndianSlice, NativeEndian, RegisterRule};
use gimli::{UnwindContext, UnwindSection as _};
use object::{Object as _, ObjectSection as _, ObjectSegment as _};

/// The most frames of a stack.
const MAX_FRAMES: usize = 256;

/// The number of the frame pointer in unwind tables.
const FRAME: u16 = if cfg!(target_arch = "x86_64") { 6 } else { 29 };

/// The number of the stack pointer in unwind tables.
pub const STACK: u16 = if cfg!(target_arch = "x86_64") { 7 } else { 31 };

/// The number of the return address in unwind tables.
const RETURN: u16 = if cfg!(target_arch = "x86_64") { 16 } else { 30 };

/// A thread at one moment.
pub struct StoppedThread {
    /// The address of its next instruction.
    pub pc: u64,
    /// The registers that functions preserve, by their numbers in unwind tables.
    pub registers: HashMap<u16, u64>,
    /// The address of the stack pointer, and the bytes from there on.
    pub stack: (u64, Vec<u8>),
}

/// A file in the memory of the process.
pub struct MappedFile {
    /// The first address.
    pub begin: u64,
    /// The first address after it.
    pub end: u64,
    /// The file.
    pub path: PathBuf,
}

/// The unwind tables of a file.
struct Tables {
    bytes: Vec<u8>,
    /// The address of the tables, in the numbering of the file.
    address: u64,
    /// The address of the first byte of the file in its own numbering.
    base: u64,
}

impl Tables {
    fn read(path: &Path) -> Option<Self> {
        let data = std::fs::read(path).ok()?;
        let file = object::File::parse(&*data).ok()?;
        let base = file.segments().map(|segment| segment.address()).min()? & !0xfff;
        let section = file.section_by_name(".eh_frame")?;
        let bytes = section.uncompressed_data().ok()?.into_owned();
        Some(Self { bytes, address: section.address(), base })
    }
}

/// The addresses in the functions of a thread's stack, the innermost first.
pub fn stack(mut thread: StoppedThread, files: &[MappedFile]) -> Vec<u64> {
    let mut tables = HashMap::new();
    let mut addresses = vec![thread.pc];
    while addresses.len() < MAX_FRAMES {
        let address = addresses[addresses.len() - 1];
        let before = thread.registers.get(&STACK).copied();
        let caller = step(&mut thread, address, files, &mut tables)
            .or_else(|| follow_frame_pointer(&mut thread));
        match caller {
            // A frame that is not above the last one is none.
            Some(caller) if caller > 1 && thread.registers.get(&STACK).copied() > before => {
                // The call, which precedes the return address.
                addresses.push(caller - 1);
            }
            _ => break,
        }
    }
    addresses
}

/// Restores the registers of the caller by the tables. Returns the return address.
fn step<'a>(
    thread: &mut StoppedThread,
    address: u64,
    files: &'a [MappedFile],
    tables: &mut HashMap<&'a Path, Option<Tables>>,
) -> Option<u64> {
    let file = files.iter().find(|file| (file.begin..file.end).contains(&address))?;
    let tables = tables.entry(&file.path).or_insert_with(|| Tables::read(&file.path)).as_ref()?;
    let section = EhFrame::from(EndianSlice::new(&tables.bytes, NativeEndian));
    let bases = BaseAddresses::default().set_eh_frame(tables.address);
    let mut context = UnwindContext::new();
    let at = address - file.begin + tables.base;
    let row =
        section.unwind_info_for_address(&bases, &mut context, at, EhFrame::cie_from_offset).ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return None };
    let frame = thread.registers.get(&register.0)?.wrapping_add_signed(*offset);
    let mut registers = thread.registers.clone();
    for (register, rule) in row.registers() {
        let value = match rule {
            RegisterRule::Offset(offset) => thread.read(frame.wrapping_add_signed(*offset)),
            RegisterRule::ValOffset(offset) => Some(frame.wrapping_add_signed(*offset)),
            RegisterRule::Register(other) => thread.registers.get(&other.0).copied(),
            RegisterRule::SameValue => continue,
            _ => None,
        };
        match value {
            Some(value) => registers.insert(register.0, value),
            None => registers.remove(&register.0),
        };
    }
    registers.insert(STACK, frame);
    thread.registers = registers;
    thread.registers.get(&RETURN).copied()
}

/// Restores the registers of the caller by the frame pointer. Returns the return address.
fn follow_frame_pointer(thread: &mut StoppedThread) -> Option<u64> {
    let frame = *thread.registers.get(&FRAME)?;
    let [next, caller] = [thread.read(frame)?, thread.read(frame + 8)?];
    thread.registers.insert(FRAME, next);
    thread.registers.insert(STACK, frame + 16);
    Some(caller)
}

impl StoppedThread {
    /// A word of the stack.
    fn read(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.checked_sub(self.stack.0)?).ok()?;
        let bytes = self.stack.1.get(at..at.checked_add(8)?)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    }
}

//! The static probes for bpftrace in `libuv.so`: their notes lead to instructions and to the semaphore.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use std::mem::offset_of;

use mauve_core::probe::{MAGIC, ProbeRoot};
use object::{Object as _, ObjectSection as _};

/// The first byte of a `nop`.
const NOP: u8 = if cfg!(target_arch = "x86_64") { 0x90 } else { 0x1f };

#[test]
fn the_notes_of_static_probes_lead_to_a_nop_and_to_the_root_of_the_loops() {
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    let bytes = std::fs::read(library).expect("the library");
    let file = object::File::parse(&*bytes).expect("an ELF file");
    let at = |address: u64, length: u64| {
        let data = file.sections().find_map(|section| section.data_range(address, length).ok()?);
        data.unwrap_or_else(|| panic!("nothing is at {address:#x}"))
    };
    let section = file.section_by_name(".note.stapsdt").expect("notes");
    let mut notes = section.data().expect("notes");
    let mut names = Vec::new();
    while notes.len() > 12 {
        let word = |at: usize| u32::from_le_bytes(notes[at..at + 4].try_into().expect("a word"));
        let [owner, length] = [word(0), word(4)].map(|size| size as usize);
        let begin = 12 + owner.next_multiple_of(4);
        let description = &notes[begin..begin + length];
        let [location, base, semaphore] = [0, 8, 16]
            .map(|at| u64::from_le_bytes(description[at..at + 8].try_into().expect("an address")));
        let section = file.section_by_name(".stapsdt.base").map(|section| section.address());
        assert_eq!(section, Some(base), "the address that tools compare");
        assert_eq!(at(location, 1), [NOP], "the instruction of a probe");
        let root = semaphore - 6 - offset_of!(ProbeRoot, trace) as u64;
        assert_eq!(at(root, 32), MAGIC.map(u64::to_le_bytes).concat(), "the root");
        let mut texts = description[24..].split(|byte| *byte == 0);
        assert_eq!(texts.next(), Some(&b"mauve"[..]));
        names.push(String::from_utf8_lossy(texts.next().expect("a name")).into_owned());
        notes = &notes[(begin + length.next_multiple_of(4)).min(notes.len())..];
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, ["callback__begin", "callback__end", "iteration", "job__begin", "job__end"]);
}

//! Lines of source code, from the debug information of a module.

use std::borrow::Cow;
use std::rc::Rc;

use gimli::{EndianRcSlice, RunTimeEndian, SectionId};
use object::{Object as _, ObjectSection as _};

type Slice = EndianRcSlice<RunTimeEndian>;

/// The lines of a module.
pub(crate) struct Lines(addr2line::Context<Slice>);

impl Lines {
    pub fn read(file: &object::File<'_>) -> Option<Self> {
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let load = |id: SectionId| -> Result<Slice, gimli::Error> {
            let section = file.section_by_name(id.name());
            let data = section.and_then(|section| section.uncompressed_data().ok());
            let data = data.unwrap_or(Cow::Borrowed(&[]));
            Ok(EndianRcSlice::new(Rc::from(&*data), endian))
        };
        file.section_by_name(SectionId::DebugLine.name())?;
        let dwarf = gimli::Dwarf::load(load).ok()?;
        addr2line::Context::from_dwarf(dwarf).ok().map(Self)
    }

    /// The file and the line of an address in the numbering of the module.
    pub fn find(&self, address: u64) -> (Option<String>, Option<u32>) {
        match self.0.find_location(address) {
            Ok(Some(location)) => (location.file.map(str::to_owned), location.line),
            _ => (None, None),
        }
    }
}

/// The readable form of a name of C++.
pub(crate) fn demangle_cpp(name: &str) -> Option<String> {
    cpp_demangle::Symbol::new(name).ok()?.demangle().ok()
}

//! Names of functions, from the symbols and the debug information of modules.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use crate::Name;
use crate::lines::{Lines, demangle_cpp};

/// Finds names of functions. Modules are read when they are first needed.
#[derive(Default)]
pub struct Symbols {
    modules: HashMap<PathBuf, Option<Module>>,
}

struct Module {
    /// The address of the first byte of the module in its own numbering.
    base: u64,
    /// Functions by address: begin, end, name.
    functions: Vec<(u64, u64, String)>,
    lines: Option<Lines>,
}

impl Symbols {
    /// The name of the function at an offset from the first byte of a module in memory.
    pub fn name(&mut self, path: &Path, offset: u64) -> Name {
        let module =
            self.modules.entry(path.to_owned()).or_insert_with(|| Module::read(path)).as_ref();
        let named = module.and_then(|module| module.name(offset));
        named.unwrap_or_else(|| {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            Name { function: format!("{file}+{offset:#x}"), file: None, line: None }
        })
    }
}

impl Module {
    fn read(path: &Path) -> Option<Self> {
        let data = std::fs::read(path).ok()?;
        let file = object::File::parse(&*data).ok()?;
        // The kernel maps whole pages.
        let base = file.segments().map(|segment| segment.address()).min()? & !0xfff;
        let separate = debug_file(&file).and_then(|path| std::fs::read(path).ok());
        let separate = separate.as_deref().and_then(|data| object::File::parse(data).ok());
        let detailed = separate.as_ref().unwrap_or(&file);
        let mut functions = Vec::new();
        let symbols = detailed.symbols().chain(file.symbols()).chain(file.dynamic_symbols());
        for symbol in symbols {
            let (address, size) = (symbol.address(), symbol.size());
            let is_code = symbol.is_definition() && symbol.kind() == object::SymbolKind::Text;
            if let (true, Ok(name)) = (is_code && size > 0, symbol.name()) {
                // Symbols of the C library have a version: `clock_gettime@GLIBC_2.2.5`.
                let name = name.split('@').next().unwrap_or(name);
                functions.push((address, address + size, name.to_owned()));
            }
        }
        functions.sort_unstable();
        Some(Self { base, functions, lines: Lines::read(detailed) })
    }

    fn name(&self, offset: u64) -> Option<Name> {
        let address = self.base + offset;
        let after = self.functions.partition_point(|(begin, _, _)| *begin <= address);
        let candidates = self.functions[..after].iter().rev().take(8);
        let function = candidates.into_iter().find(|(_, end, _)| address < *end);
        let function = function.map(|(_, _, name)| demangle(name));
        let (file, line) = self.lines.as_ref().map_or((None, None), |lines| lines.find(address));
        Some(Name { function: function?, file, line })
    }
}

/// The file with the debug information of a stripped module, where distributions install it.
fn debug_file(file: &object::File<'_>) -> Option<PathBuf> {
    let id = file.build_id().ok()??;
    let (first, rest) = id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(PathBuf::from(format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug")))
}

fn demangle(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    demangle_cpp(name).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn a_function_of_this_test() -> u64 {
        std::hint::black_box(7)
    }

    #[test]
    fn a_function_is_found_by_name_and_line() {
        let address = a_function_of_this_test as fn() -> u64 as *const () as u64;
        let code = mauve_sys::module_of(address).unwrap();
        let name = Symbols::default().name(&code.path, code.offset);
        assert!(name.function.ends_with("a_function_of_this_test"), "{name}");
        assert_eq!(a_function_of_this_test(), 7);
    }

    #[test]
    fn an_address_without_a_symbol_is_module_and_offset() {
        let name = Symbols::default().name(Path::new("/no/such/libfoo.so"), 0x1234);
        assert_eq!(name.to_string(), "libfoo.so+0x1234");
    }
}

//! Names of functions of another process.

use std::path::PathBuf;

use mauve_core::why::FUNCTION;
use mauve_trace::Symbols;
use mauve_trace::generated::{Generated, GeneratedCode};
use mauve_trace::unwind::{self, MappedFile, StoppedThread};

use super::memory::Memory;

/// Replaces the addresses of functions in a report by their names: `calls function 0x55d0c3` becomes
/// `calls on_read (server.c:41)`.
pub fn resolve(memory: &Memory, report: &str) -> String {
    let mut parts = report.split(FUNCTION);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut names = Names::new(memory);
    for part in parts {
        let length = part.bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let (address, rest) = part.split_at(length);
        let number = u64::from_str_radix(address.trim_start_matches("0x"), 16);
        let name = number.ok().and_then(|number| names.name(number));
        text += &name.unwrap_or_else(|| format!("{FUNCTION}{address}"));
        text += rest;
    }
    text
}

/// Stands for functions of generated code.
const UNNAMED: &str = "functions of JavaScript, which have names in programs that `mauve watch` or `mauve trace` starts";

/// The functions on the stack of a thread, the innermost first, up to the one that the library has called.
pub fn callback_stack(memory: &Memory, thread: StoppedThread) -> Vec<String> {
    let mut names = Names::new(memory);
    let scripts = GeneratedCode::of(memory.process);
    let mut functions = Vec::new();
    // The innermost functions may be those of a library that the callback has called.
    let mut is_in_program = false;
    for address in unwind::stack(thread, &names.files) {
        match (scripts.find(address), names.file(address)) {
            (Some(Generated::Function(name)), _) => functions.push(name.to_string()),
            (Some(Generated::Builtin), _) => {}
            (None, Some(file)) => {
                let name = file.path.file_name().unwrap_or_default().to_string_lossy();
                let is_library = name.starts_with("libuv.so");
                if is_library && is_in_program {
                    break;
                }
                is_in_program |= !is_library && !name.starts_with("libc.so");
                functions.extend(names.name(address));
            }
            (None, None) => functions.push(UNNAMED.to_owned()),
        }
    }
    functions.dedup_by(|one, other| one == other && one == UNNAMED);
    functions
}

/// The files that a process has mapped, and their symbols.
struct Names {
    files: Vec<MappedFile>,
    symbols: Symbols,
}

impl Names {
    fn new(memory: &Memory) -> Self {
        // The process may be in a container.
        let root = |path: String| PathBuf::from(format!("/proc/{}/root{path}", memory.process));
        let files = memory.files().into_iter();
        let files =
            files.map(|(begin, end, path)| MappedFile { begin, end, path: root(path) }).collect();
        Self { files, symbols: Symbols::default() }
    }

    fn file(&self, address: u64) -> Option<&MappedFile> {
        self.files.iter().find(|file| (file.begin..file.end).contains(&address))
    }

    fn name(&mut self, address: u64) -> Option<String> {
        let file = self.files.iter().find(|file| (file.begin..file.end).contains(&address))?;
        Some(self.symbols.name(&file.path, address - file.begin).to_string())
    }
}

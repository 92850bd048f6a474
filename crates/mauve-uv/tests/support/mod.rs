//! The harness of the differential tests: finds, compiles and runs the programs, and compares.

mod compiler;
pub mod library;
mod process;
mod program;
mod target;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use library::Library;
use program::Program;

/// One directory of programs.
pub struct Area {
    name: &'static str,
}

impl Area {
    pub fn new(name: &'static str) -> Self {
        Self { name }
    }

    /// Runs all programs of the area. Panics with all differences.
    pub fn check(&self) {
        self.check_with("", &[]);
    }

    /// As [`check`](Self::check), with additional environment variables. The programs are compiled
    /// into a directory with this suffix, because tests run in parallel.
    pub fn check_with(&self, suffix: &str, environment: &[(&str, &str)]) {
        let directory = format!("{}{suffix}", self.name);
        let mut sources = sources(&root().join(self.name));
        assert!(!sources.is_empty(), "{}: no programs", self.name);
        sources.retain(|source| !target::skips(self.name, source));
        let mut failures = String::new();
        let mut failed = 0;
        for source in &sources {
            if let Err(why) = Program::load(source, &directory).with(environment).check() {
                failed += 1;
                let name = source.file_name().unwrap_or_default().to_string_lossy();
                let _ = writeln!(failures, "--- {}/{name}\n{why}", self.name);
            }
        }
        assert!(failed == 0, "{failed} of {} programs differ\n{failures}", sources.len());
    }
}

/// The files of Debian's library and of ours that a program has loaded.
pub fn loaded() -> [String; 2] {
    let program = Program::load(&root().join("loaded.c"), "");
    [Library::Debian, Library::Ours].map(|library| program.output_on(library).trim().to_owned())
}

/// The names of all areas.
pub fn areas() -> Vec<String> {
    let entries = std::fs::read_dir(root()).expect("the directory of C programs");
    let directories = entries.map(|entry| entry.expect("an entry")).filter(|e| e.path().is_dir());
    directories.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

pub fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "c" || end == "cc"));
    files.sort();
    files
}

/// The directory of the C programs.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// The directory of our headers.
pub fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// A directory for files of the tests, in the target directory. Each platform has its own.
pub fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential");
    let directory = directory.join(target::platform()).join(name);
    std::fs::create_dir_all(&directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    directory
}

//! The harness of the differential tests: finds the programs, runs them, tells the differences.

mod compiler;
pub mod library;
mod process;
mod program;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use library::Library;
use program::Program;

/// One folder of programs.
pub struct Area {
    name: &'static str,
}

impl Area {
    pub fn new(name: &'static str) -> Self {
        Self { name }
    }

    /// Runs all programs of the area; panics with everything that differed.
    pub fn check(&self) {
        self.check_with("", &[]);
    }

    /// As [`check`](Self::check), with more in the environment of the programs. They are compiled
    /// apart, in a folder whose name ends with `suffix`: the tests run side by side.
    pub fn check_with(&self, suffix: &str, environment: &[(&str, &str)]) {
        let folder = format!("{}{suffix}", self.name);
        let sources = sources(&root().join(self.name));
        assert!(!sources.is_empty(), "{}: no programs", self.name);
        let mut failures = String::new();
        let mut failed = 0;
        for source in &sources {
            if let Err(why) = Program::load(source, &folder).with(environment).check() {
                failed += 1;
                let name = source.file_name().unwrap_or_default().to_string_lossy();
                let _ = writeln!(failures, "--- {}/{name}\n{why}", self.name);
            }
        }
        assert!(failed == 0, "{failed} of {} programs differ\n{failures}", sources.len());
    }
}

/// The version strings that Debian's library and ours report.
pub fn versions() -> [String; 2] {
    let program = Program::load(&root().join("version.c"), "");
    [Library::Debian, Library::Ours].map(|library| program.output_on(library).trim().to_owned())
}

/// The names of all folders with programs.
pub fn folders() -> Vec<String> {
    let entries = std::fs::read_dir(root()).expect("the folder of C programs");
    let folders = entries.map(|entry| entry.expect("an entry")).filter(|e| e.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "c" || end == "cc"));
    files.sort();
    files
}

/// Where the C programs are.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// Where our headers are.
pub fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// A folder for what the tests make, below the target folder.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential").join(name);
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

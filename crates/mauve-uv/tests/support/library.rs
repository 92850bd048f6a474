//! The libraries that a program can run on.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{scratch, target};

/// A `libuv.so.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Library {
    /// The one that the loader finds by default.
    Debian,
    /// The one built from this crate.
    Ours,
    /// A newer libuv, named by `NEWER_LIBUV`.
    Newer(PathBuf),
}

impl Library {
    /// The newer libuv, if there is one.
    pub fn newer() -> Option<Self> {
        std::env::var_os("NEWER_LIBUV").map(|directory| Self::Newer(directory.into()))
    }

    /// The directory for `LD_LIBRARY_PATH`; `None` for the default search path.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Debian => target::debian(),
            Self::Ours => Some(ours()),
            Self::Newer(directory) => Some(directory),
        }
    }
}

/// A directory with links to our library, named as the linker and the loader expect.
pub fn ours() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let built = built();
        let directory = scratch("library");
        for name in ["libuv.so", "libuv.so.1"] {
            let link = directory.join(name);
            let _ = std::fs::remove_file(&link);
            symlink(&built, &link).unwrap_or_else(|e| panic!("{}: {e}", link.display()));
        }
        directory
    })
}

/// The shared library: the one for another platform, or the one that Cargo builds with this test, in
/// the same directory.
fn built() -> PathBuf {
    if let Some(directory) = target::library() {
        return directory.join("libuv.so");
    }
    let test = std::env::current_exe().expect("the path of this test");
    let library = test.parent().expect("the directory of this test").join("libuv.so");
    assert!(
        library.exists(),
        "there is no {}: the crate mauve-uv must be built as a cdylib",
        library.display()
    );
    library
}

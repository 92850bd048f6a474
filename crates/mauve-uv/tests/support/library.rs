//! The libraries that a program can run on.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::scratch;

/// A `libuv.so.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Library {
    /// The one that the system's loader finds.
    Debian,
    /// The one built from this crate.
    Ours,
    /// A newer libuv that the environment names.
    Newer(PathBuf),
}

impl Library {
    /// The newer libuv, if there is one.
    pub fn newer() -> Option<Self> {
        std::env::var_os("NEWER_LIBUV").map(|folder| Self::Newer(folder.into()))
    }

    /// Where the loader must look first to find it; `None` for nowhere special.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Debian => None,
            Self::Ours => Some(ours()),
            Self::Newer(folder) => Some(folder),
        }
    }
}

/// A folder in which our library goes by the names that the linker and the loader look for.
pub fn ours() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let built = built();
        let folder = scratch("library");
        for name in ["libuv.so", "libuv.so.1"] {
            let link = folder.join(name);
            let _ = std::fs::remove_file(&link);
            symlink(&built, &link).unwrap_or_else(|e| panic!("{}: {e}", link.display()));
        }
        folder
    })
}

/// The shared library. Cargo builds it together with this test, and puts it beside it.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let library = test.parent().expect("the folder of this test").join("libuv.so");
    assert!(
        library.exists(),
        "there is no {}: the crate mauve-uv must be built as a cdylib",
        library.display()
    );
    library
}

//! The private directory that the traced processes record into.

use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// A directory that is removed when the value is dropped.
pub struct Directory(PathBuf);

impl Directory {
    /// Creates the directory in memory (`/dev/shm`) if possible.
    pub fn create() -> Result<Self, String> {
        let mut error = None;
        for parent in [PathBuf::from("/dev/shm"), std::env::temp_dir()] {
            let stamp = mauve::hrtime();
            let path = parent.join(format!("mauve-trace-{}-{stamp:x}", std::process::id()));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(e) => error = Some(format!("cannot create {}: {e}", path.display())),
            }
        }
        Err(error.unwrap_or_default())
    }

    /// Gives the directory to the user of a process, if this command runs as root.
    pub fn give_to(&self, process: u32) -> Result<(), String> {
        let Ok(owner) = std::fs::metadata(format!("/proc/{process}")) else { return Ok(()) };
        let Ok(own) = std::fs::metadata(&self.0) else { return Ok(()) };
        if owner.uid() == own.uid() {
            return Ok(());
        }
        let (uid, gid) = (Some(owner.uid()), Some(owner.gid()));
        let given = std::os::unix::fs::chown(&self.0, uid, gid);
        given.map_err(|error| format!("{}: {error}", self.0.display()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // The system removes it at the next start otherwise.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

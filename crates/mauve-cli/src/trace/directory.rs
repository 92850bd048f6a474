//! The private directory that the traced processes record into.
//!
//! The command that reads the records holds a lock on the directory. A directory without a lock belongs to a
//! command that was killed: the next trace removes it, and its processes can be traced again.

use std::fs::{DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// The beginning of the names of these directories.
const NAME: &str = "mauve-records-";

/// A directory that is removed when the value is dropped.
pub struct Directory {
    path: PathBuf,
    /// Locked as long as the records are read.
    _lock: File,
}

impl Directory {
    /// Creates the directory in memory (`/dev/shm`) if possible.
    pub fn create() -> Result<Self, String> {
        let mut error = None;
        for parent in [PathBuf::from("/dev/shm"), std::env::temp_dir()] {
            remove_abandoned(&parent);
            match Self::create_in(&parent) {
                Ok(directory) => return Ok(directory),
                Err(e) => error = Some(format!("{}: {e}", parent.display())),
            }
        }
        Err(error.unwrap_or_default())
    }

    fn create_in(parent: &Path) -> io::Result<Self> {
        loop {
            let stamp = mauve_sys::clock::hrtime();
            let path = parent.join(format!("{NAME}{}-{stamp:x}", std::process::id()));
            DirBuilder::new().mode(0o700).create(&path)?;
            match lock(&path, FlockOperation::LockExclusive) {
                Ok(lock) if path.exists() => return Ok(Self { path, _lock: lock }),
                Err(error) if path.exists() => {
                    let _ = std::fs::remove_dir(&path);
                    return Err(error);
                }
                // Another command has removed it before it was locked.
                _ => {}
            }
        }
    }

    /// Gives the directory to the user of a process, if this command runs as root.
    pub fn give_to(&self, process: u32) -> Result<(), String> {
        let Ok(owner) = std::fs::metadata(format!("/proc/{process}")) else { return Ok(()) };
        let Ok(own) = std::fs::metadata(&self.path) else { return Ok(()) };
        if owner.uid() == own.uid() {
            return Ok(());
        }
        let (uid, gid) = (Some(owner.uid()), Some(owner.gid()));
        let given = std::os::unix::fs::chown(&self.path, uid, gid);
        given.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // The system removes it at the next start otherwise.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Whether the command that has created this directory was killed.
pub fn is_abandoned(path: &Path) -> bool {
    let lock = lock(path, FlockOperation::NonBlockingLockExclusive);
    has_name(path) && lock.map_or_else(|error| error.kind() == ErrorKind::NotFound, |_| true)
}

/// Removes the directories of this user's commands that were killed. They take memory.
fn remove_abandoned(parent: &Path) {
    let own = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if has_name(&path)
            && entry.metadata().is_ok_and(|entry| entry.is_dir() && entry.uid() == own)
            && let Ok(_lock) = lock(&path, FlockOperation::NonBlockingLockExclusive)
        {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

fn has_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(NAME.as_bytes()))
}

fn lock(path: &Path, operation: FlockOperation) -> io::Result<File> {
    let file = File::open(path)?;
    flock(&file, operation)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_a_killed_command_is_removed_by_the_next_one() {
        let parent = std::env::temp_dir().join(format!("mauve-abandoned-{}", std::process::id()));
        std::fs::create_dir_all(&parent).expect("a directory");
        let used = Directory::create_in(&parent).expect("a directory");
        assert!(!is_abandoned(used.path()));
        let (killed, other) = (parent.join(format!("{NAME}1-2")), parent.join("other"));
        for path in [&killed, &other] {
            std::fs::create_dir(path).expect("a directory");
            std::fs::write(path.join("ring"), "records").expect("a file");
        }
        assert!(is_abandoned(&killed));
        remove_abandoned(&parent);
        assert!(is_abandoned(&killed) && !killed.exists());
        assert!(other.exists() && used.path().exists());
        drop(used);
        let _ = std::fs::remove_dir_all(parent);
    }
}

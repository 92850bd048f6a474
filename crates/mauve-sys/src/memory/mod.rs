//! Memory that is shared with other processes through a file, or that may not be mapped.

use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

cfg_if::cfg_if! {
    if #[cfg(not(windows))] {
        mod mmap;
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        use linux as system;
    } else {
        mod other;
        use other as system;
    }
}

pub use system::probe_memory;

/// A file that is mapped into memory. The mapping ends when the value is dropped.
///
/// The file must keep its size while it is mapped: an access beyond its end raises `SIGBUS`. So
/// only this module creates such files, with their blocks allocated, and no process truncates them.
pub struct SharedMemory {
    words: NonNull<AtomicU64>,
    length: usize,
}

// SAFETY: the memory consists of atomics, which any thread may access. The mapping has no owner
// thread.
unsafe impl Send for SharedMemory {}
// SAFETY: as above.
unsafe impl Sync for SharedMemory {}

impl SharedMemory {
    /// The words. Other processes may change them at any time.
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has this length, is aligned to a page, and lives as long as `self`.
        // Every bit pattern is a valid atomic.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.length) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use std::path::Path;

    use super::*;
    use crate::Errno;

    #[test]
    fn two_mappings_of_a_file_share_their_words() {
        let path = std::env::temp_dir().join(format!("mauve-shared-{}", std::process::id()));
        let one = SharedMemory::create(&path, 1024).unwrap();
        let other = SharedMemory::open(&path).unwrap();
        assert_eq!(SharedMemory::create(&path, 8).err(), Some(Errno::EEXIST));
        std::fs::remove_file(&path).unwrap();
        assert_eq!((one.words().len(), other.words().len()), (1024, 1024));
        one.words()[1023].store(7, Ordering::Release);
        assert_eq!(other.words()[1023].load(Ordering::Acquire), 7);
    }

    #[test]
    #[cfg_attr(windows, ignore = "there is no `/dev/full`")]
    fn a_full_disk_is_an_error_of_create() {
        let full = Path::new("/dev/full/x");
        assert_eq!(SharedMemory::create(full, 8).err(), Some(Errno::ENOTDIR));
        let path = std::env::temp_dir().join(format!("mauve-too-large-{}", std::process::id()));
        // No file system has this much space.
        let created = SharedMemory::create(&path, usize::MAX >> 5);
        assert!(created.is_err());
        assert!(!path.exists());
    }
}

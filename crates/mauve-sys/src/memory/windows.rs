//! Mapping files on Windows.

use std::fs::{File, OpenOptions};
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;
use std::ptr::{NonNull, null};

use windows_sys::Win32::Foundation::CloseHandle;
use windows_sys::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_ALL_ACCESS, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile,
    PAGE_READWRITE, UnmapViewOfFile,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::SharedMemory;
use crate::{Errno, Result};

impl SharedMemory {
    /// Creates a file of `length` zeroed words and maps it. Fails with `EEXIST` if it exists, and with
    /// `ENOSPC` if the disk is full: the system allocates the blocks of a file when its size is set.
    pub fn create(path: &Path, length: usize) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        let size = length.checked_mul(size_of::<u64>()).ok_or(Errno::EFBIG)? as u64;
        let memory = file.set_len(size).map_err(Errno::from);
        let memory = memory.and_then(|()| Self::map(&file, length));
        if memory.is_err() {
            drop(file);
            // Reports the first error. The file may be gone already.
            let _ = std::fs::remove_file(path);
        }
        memory
    }

    /// Maps an existing file that [`create`](Self::create) has made.
    pub fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let size = file.metadata()?.len();
        let length = usize::try_from(size).map_err(|_| Errno::EINVAL)? / size_of::<u64>();
        Self::map(&file, length)
    }

    /// Maps a file. The mapping keeps the file open.
    fn map(file: &File, length: usize) -> Result<Self> {
        if length == 0 {
            return Err(Errno::EINVAL);
        }
        let file = file.as_raw_handle();
        // SAFETY: the file is open. A size of zero means that of the file.
        let mapping = unsafe { CreateFileMappingW(file, null(), PAGE_READWRITE, 0, 0, null()) };
        if mapping.is_null() {
            return Err(Errno::last());
        }
        let size = length * size_of::<u64>();
        // SAFETY: the mapping is open. The system chooses an unused address.
        let view = unsafe { MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, size) };
        let words = NonNull::new(view.Value.cast()).ok_or_else(Errno::last);
        // SAFETY: it was opened above. The view keeps the mapping.
        unsafe { CloseHandle(mapping) };
        Ok(Self { words: words?, length })
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let view = MEMORY_MAPPED_VIEW_ADDRESS { Value: self.words.as_ptr().cast() };
        // SAFETY: `map` has mapped it, and `words` borrows from `self`.
        unsafe { UnmapViewOfFile(view) };
    }
}

/// Reads from an address of this process into `buffer`. Returns `Some(false)` instead of faulting if
/// the memory is not mapped.
pub fn probe_memory(address: u64, buffer: &mut [u64]) -> Option<bool> {
    let (from, to) = (address as usize as *const _, buffer.as_mut_ptr().cast());
    let size = size_of_val(buffer);
    let mut read = 0;
    // SAFETY: the system writes only to `buffer`, and checks the address itself.
    let done = unsafe { ReadProcessMemory(GetCurrentProcess(), from, to, size, &raw mut read) };
    Some(done != 0 && read == size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_memory_is_read_and_unmapped_memory_does_not_fault() {
        let value = 0x1234_5678_u64;
        let mut buffer = [0];
        assert_eq!(probe_memory(std::ptr::from_ref(&value) as u64, &mut buffer), Some(true));
        assert_eq!(buffer, [value]);
        assert_eq!(probe_memory(8, &mut buffer), Some(false));
    }
}

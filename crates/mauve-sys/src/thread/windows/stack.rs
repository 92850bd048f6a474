//! The stack size of new threads.

use std::ptr::null;

use windows_sys::Win32::System::Diagnostics::Debug::IMAGE_NT_HEADERS64;
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::System::SystemInformation::{GetSystemInfo, SYSTEM_INFO};
use windows_sys::Win32::System::SystemServices::IMAGE_DOS_HEADER;

/// The default stack size, which is written in the executable.
pub fn default_size() -> usize {
    // SAFETY: without a name, the call returns the address of the executable, which begins with this
    // header. That has the offset of the other one. Neither is written to.
    unsafe {
        let executable = GetModuleHandleW(null()).cast::<u8>();
        let dos = executable.cast::<IMAGE_DOS_HEADER>().read_unaligned();
        let headers = executable.add(dos.e_lfanew as usize).cast::<IMAGE_NT_HEADERS64>();
        (&raw const (*headers).OptionalHeader.SizeOfStackReserve).read_unaligned() as usize
    }
}

/// Rounds `size` up to the granularity of allocations. The least size if that overflows.
pub fn round_size(size: usize) -> usize {
    let granularity = system_info().dwAllocationGranularity as usize;
    size.checked_next_multiple_of(granularity).unwrap_or(0).max(granularity)
}

fn system_info() -> SYSTEM_INFO {
    // SAFETY: all bits of the struct may be zero.
    let mut info: SYSTEM_INFO = unsafe { std::mem::zeroed() };
    // SAFETY: fills a local variable.
    unsafe { GetSystemInfo(&raw mut info) };
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_multiples_of_the_granularity() {
        assert!(default_size() >= 64 << 10, "{}", default_size());
        assert_eq!(default_size() % 4096, 0);
        assert_eq!(round_size(1), round_size(0));
        assert_eq!(round_size(1 << 20), 1 << 20);
        assert_eq!(round_size(usize::MAX), round_size(1));
    }
}

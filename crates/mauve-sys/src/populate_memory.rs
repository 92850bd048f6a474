//! Pages for memory that is going to be used.

use std::mem::MaybeUninit;

use rustix::mm::{Advice, madvise};

/// Requests the pages of new memory, which is aligned to the size of a page, all at once. This takes less
/// time than a page fault for each. Without success they come by page faults.
pub fn populate_memory(memory: &mut [MaybeUninit<u8>]) {
    // SAFETY: the memory is borrowed, and keeps its contents.
    let _ =
        unsafe { madvise(memory.as_mut_ptr().cast(), memory.len(), Advice::LinuxPopulateWrite) };
}

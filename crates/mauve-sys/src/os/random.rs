//! Cryptographically secure random bytes.

use std::fs::File;
use std::io::Read as _;
use std::mem::MaybeUninit;

use super::system;
use crate::Result;

/// Fills `buffer`. Blocks until the kernel's generator is seeded, which happens once after boot.
#[doc(alias = "uv_random")]
pub fn fill(buffer: &mut [u8]) -> Result<()> {
    // SAFETY: `u8` and `MaybeUninit<u8>` have the same layout, and `fill_uninit` writes only
    // initialised bytes.
    fill_uninit(unsafe { &mut *(std::ptr::from_mut(buffer) as *mut [MaybeUninit<u8>]) })
}

/// [`fill`] for uninitialised memory.
pub fn fill_uninit(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    system::fill_random(buffer)
}

/// Reads from the system's device, for sandboxes that do not allow the system call.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) fn read_device(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    // `/dev/urandom` does not block before the generator is seeded; `/dev/random` does.
    File::open("/dev/random")?.read_exact(&mut [0])?;
    for byte in &mut *buffer {
        byte.write(0);
    }
    // SAFETY: the loop has initialised all bytes.
    let buffer = unsafe { &mut *(std::ptr::from_mut(buffer) as *mut [u8]) };
    Ok(File::open("/dev/urandom")?.read_exact(buffer)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sources_fill_the_whole_buffer() {
        let filled = |bytes: &[u8]| bytes.chunks(16).all(|chunk| chunk.iter().any(|&b| b != 0));
        let mut bytes = [0; 256];
        fill(&mut bytes).unwrap();
        assert!(filled(&bytes));
        let mut bytes = [const { MaybeUninit::new(0) }; 256];
        read_device(&mut bytes).unwrap();
        // SAFETY: the bytes were created initialised.
        assert!(filled(&bytes.map(|byte| unsafe { byte.assume_init() })));
    }
}

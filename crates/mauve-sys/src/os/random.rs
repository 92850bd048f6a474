//! Cryptographically secure random bytes.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_buffer_is_filled() {
        let mut bytes = [0; 256];
        fill(&mut bytes).unwrap();
        assert!(bytes.chunks(16).all(|chunk| chunk.iter().any(|byte| *byte != 0)));
    }
}

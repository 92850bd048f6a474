//! The device for random bytes, which all Unix systems have.

use std::fs::File;
use std::io::Read as _;
use std::mem::MaybeUninit;

use crate::Result;

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
    fn the_whole_buffer_is_filled() {
        let mut bytes = [const { MaybeUninit::new(0) }; 256];
        read_device(&mut bytes).unwrap();
        // SAFETY: the bytes were created initialised.
        let bytes = bytes.map(|byte| unsafe { byte.assume_init() });
        assert!(bytes.chunks(16).all(|chunk| chunk.iter().any(|byte| *byte != 0)));
    }
}

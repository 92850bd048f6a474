//! The layout of `WSABUF`.

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Memory {
    length: u32,
    base: *mut u8,
}

impl Memory {
    pub const fn new(base: *mut u8, length: usize) -> Self {
        let length = if length > u32::MAX as usize { u32::MAX } else { length as u32 };
        Self { length, base }
    }

    pub const fn base(&self) -> *mut u8 {
        self.base
    }

    pub const fn length(&self) -> usize {
        self.length as usize
    }
}

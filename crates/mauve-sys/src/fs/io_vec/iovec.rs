//! The layout of `iovec`.

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Memory {
    base: *mut u8,
    length: usize,
}

impl Memory {
    pub const fn new(base: *mut u8, length: usize) -> Self {
        Self { base, length }
    }

    pub const fn base(&self) -> *mut u8 {
        self.base
    }

    pub const fn length(&self) -> usize {
        self.length
    }
}

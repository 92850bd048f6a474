//! Strings that are passed to and from C.
//!
//! Many functions of `uv.h` return a string in a buffer of the program, by the same rules, which
//! are implemented here once.

use std::ffi::{CStr, c_char, c_int, c_void};

use mauve_sys::{Errno, Result};

use crate::allocator;
use crate::ffi::{Ptr, negative};

/// Returns a string through parameters of the form `(char* buffer, size_t* size)`.
///
/// On entry `size` is the size of the buffer. On return it is the length of the string or, with
/// `UV_ENOBUFS`, the required size.
pub(crate) fn return_string(
    buffer: Ptr<c_char>,
    size: Ptr<usize>,
    find: impl FnOnce() -> Result<Vec<u8>>,
) -> c_int {
    if buffer.is_null() || size.is_null() || size.with(|size| *size) == 0 {
        return negative(Errno::EINVAL);
    }
    let found = match find() {
        Ok(found) => found,
        Err(error) => return negative(error),
    };
    let capacity = size.with(|size| *size);
    if found.len() >= capacity {
        size.write(found.len() + 1);
        return negative(Errno::ENOBUFS);
    }
    size.write(copy(&found, buffer, capacity));
    0
}

/// Copies as much of `text` as fits into `size` bytes, with a terminator. Returns its length.
pub(crate) fn copy(text: &[u8], buffer: Ptr<c_char>, size: usize) -> usize {
    if size == 0 {
        return 0;
    }
    let length = text.len().min(size - 1);
    // SAFETY: the program guarantees `size` bytes at `buffer`, and `length + 1` are written.
    unsafe {
        buffer.raw().cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), length);
        buffer.raw().add(length).write(0);
    }
    length
}

/// A string that a C caller passed, for the duration of the call.
pub(crate) fn borrow(text: &Ptr<c_char>) -> &CStr {
    assert!(!text.is_null(), "mauve: a null pointer where libuv allows none");
    // SAFETY: not null, and the program guarantees a string that is valid during the call.
    unsafe { CStr::from_ptr(text.raw()) }
}

/// Copies a string into memory from [`allocator`]; null if that fails.
pub(crate) fn duplicate(text: &[u8]) -> *mut c_char {
    let memory = allocator::allocate(text.len() + 1).cast::<c_char>();
    if !memory.is_null() {
        // SAFETY: new memory of this size.
        copy(text, unsafe { Ptr::new(memory) }, text.len() + 1);
    }
    memory
}

/// Allocates one block for the program: `header` bytes, aligned for any type, followed by the
/// strings, each with a terminator. It is freed as a whole. `None` if the allocation fails.
pub(crate) fn allocate_block(
    header: usize,
    texts: &[&[u8]],
) -> Option<(*mut c_void, Vec<*mut c_char>)> {
    let size = header + texts.iter().map(|text| text.len() + 1).sum::<usize>();
    // Not zero bytes, because malloc may return null for those.
    let memory = allocator::allocate(size.max(1));
    if memory.is_null() {
        return None;
    }
    let mut next = memory.wrapping_byte_add(header).cast::<c_char>();
    let strings = texts.iter().map(|text| {
        // SAFETY: the part of the block that was reserved for this string.
        copy(text, unsafe { Ptr::new(next) }, text.len() + 1);
        let after = next.wrapping_add(text.len() + 1);
        std::mem::replace(&mut next, after)
    });
    Some((memory, strings.collect()))
}

/// Writes a null-terminated list of strings, like `argv`.
///
/// # Safety
/// `list` must have space for the strings and a null pointer.
pub(crate) unsafe fn store_list(strings: &[*mut c_char], list: *mut *mut c_char) {
    for (index, &string) in strings.iter().chain([&std::ptr::null_mut()]).enumerate() {
        // SAFETY: the caller guarantees the space.
        unsafe { list.add(index).write(string) };
    }
}

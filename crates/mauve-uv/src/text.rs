//! Strings across the border.
//!
//! Many functions of `uv.h` answer with a string in a buffer of the program, all by the same
//! rules; they are written down here once.

use std::ffi::{CStr, c_char, c_int, c_void};

use mauve_sys::{Errno, Result};

use crate::allocator;
use crate::ffi::{Ptr, negative};

/// Answers a question of the form `(char* buffer, size_t* size)`.
///
/// `size` comes in as the size of the buffer. It goes out as the length of the string, or, with
/// `UV_ENOBUFS`, as the size that would do.
pub(crate) fn answer(
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
    let room = size.with(|size| *size);
    if found.len() >= room {
        size.write(found.len() + 1);
        return negative(Errno::ENOBUFS);
    }
    size.write(copy(&found, buffer, room));
    0
}

/// Copies as much of `text` as fits into `size` bytes, with a final zero. Returns its length.
pub(crate) fn copy(text: &[u8], buffer: Ptr<c_char>, size: usize) -> usize {
    if size == 0 {
        return 0;
    }
    let length = text.len().min(size - 1);
    // SAFETY: the program vouches for `size` bytes at `buffer`; `length + 1` are written.
    unsafe {
        buffer.raw().cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), length);
        buffer.raw().add(length).write(0);
    }
    length
}

/// A string that a C caller passed, for the duration of the call.
pub(crate) fn borrow(text: &Ptr<c_char>) -> &CStr {
    assert!(!text.is_null(), "mauve: a null pointer where libuv allows none");
    // SAFETY: not null, and the program vouches for a string that stays during the call.
    unsafe { CStr::from_ptr(text.raw()) }
}

/// A copy that the program owns and has freed by us; null if there is no memory.
pub(crate) fn duplicate(text: &[u8]) -> *mut c_char {
    let memory = allocator::allocate(text.len() + 1).cast::<c_char>();
    if !memory.is_null() {
        // SAFETY: fresh memory of this size, which nobody else knows.
        copy(text, unsafe { Ptr::new(memory) }, text.len() + 1);
    }
    memory
}

/// One block of memory for the program: `header` bytes, aligned for anything, and behind them the
/// strings, each with a final zero. Freed as a whole. `None` if there is no memory.
pub(crate) fn block(header: usize, texts: &[&[u8]]) -> Option<(*mut c_void, Vec<*mut c_char>)> {
    let size = header + texts.iter().map(|text| text.len() + 1).sum::<usize>();
    // A program may take null for a failure, so an empty block is not.
    let memory = allocator::allocate(size.max(1));
    if memory.is_null() {
        return None;
    }
    let mut next = memory.wrapping_byte_add(header).cast::<c_char>();
    let strings = texts.iter().map(|text| {
        // SAFETY: this string's part of the block that was measured above.
        copy(text, unsafe { Ptr::new(next) }, text.len() + 1);
        let after = next.wrapping_add(text.len() + 1);
        std::mem::replace(&mut next, after)
    });
    Some((memory, strings.collect()))
}

/// Writes a list of strings the way `argv` is one: with a null pointer at the end.
///
/// # Safety
/// At `list` there must be room for the strings and the end.
pub(crate) unsafe fn store_list(strings: &[*mut c_char], list: *mut *mut c_char) {
    for (index, &string) in strings.iter().chain([&std::ptr::null_mut()]).enumerate() {
        // SAFETY: promised by the caller.
        unsafe { list.add(index).write(string) };
    }
}

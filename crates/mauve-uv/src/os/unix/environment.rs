//! Environment variables.
//!
//! The environment is global state of the C library. As libuv documents, none of these functions is
//! thread-safe. A Rust program uses [`mod@std::env`] instead.

use std::ffi::{CStr, c_char, c_int};

use mauve_sys::Errno;

use crate::abi::uv_env_item_t;
use crate::allocator;
use crate::ffi::{Ptr, negative};
use crate::text;

unsafe extern "C" {
    static environ: *const *const c_char;
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_getenv(name: Ptr<c_char>, buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    text::return_string(buffer, size, || {
        // SAFETY: the program guarantees a valid string.
        let value = unsafe { libc::getenv(name.raw()) };
        if value.is_null() {
            return Err(Errno::ENOENT);
        }
        // SAFETY: a string of the environment, which the program does not change during this call.
        Ok(unsafe { CStr::from_ptr(value) }.to_bytes().to_vec())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_setenv(name: Ptr<c_char>, value: Ptr<c_char>) -> c_int {
    if name.is_null() || value.is_null() {
        return negative(Errno::EINVAL);
    }
    // SAFETY: the program guarantees valid strings, and that no other thread uses the environment.
    status(unsafe { libc::setenv(name.raw(), value.raw(), 1) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_unsetenv(name: Ptr<c_char>) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    // SAFETY: the program guarantees a valid string, and that no other thread uses the environment.
    status(unsafe { libc::unsetenv(name.raw()) })
}

fn status(result: c_int) -> c_int {
    if result == 0 { 0 } else { negative(Errno::last()) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_environ(items: Ptr<*mut uv_env_item_t>, count: Ptr<c_int>) -> c_int {
    items.write(std::ptr::null_mut());
    count.write(0);
    // Entries without `=` are skipped.
    let variables: Vec<(&[u8], &[u8])> = entries().filter_map(split).collect();
    let strings: Vec<&[u8]> = variables.iter().flat_map(|&(name, value)| [name, value]).collect();
    let header = size_of::<uv_env_item_t>() * variables.len();
    let Some((memory, strings)) = text::allocate_block(header, &strings) else {
        return negative(Errno::ENOMEM);
    };
    let array = memory.cast::<uv_env_item_t>();
    for (index, pair) in strings.chunks_exact(2).enumerate() {
        // SAFETY: the block starts with space for one item per pair.
        unsafe { array.add(index).write(uv_env_item_t { name: pair[0], value: pair[1] }) };
    }
    items.write(array);
    count.write(variables.len() as c_int);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_free_environ(items: Ptr<uv_env_item_t>, _count: c_int) {
    allocator::release(items.raw().cast());
}

/// The strings of the environment, valid until it changes.
fn entries() -> impl Iterator<Item = &'static [u8]> {
    // SAFETY: null, or the null-terminated list of the C library.
    let mut next = unsafe { environ };
    std::iter::from_fn(move || {
        // SAFETY: within the list, because the previous pointer was not the last.
        let entry = unsafe { next.as_ref() }.copied().filter(|entry| !entry.is_null())?;
        // SAFETY: the entry is not null, so it is a string, and the list continues.
        unsafe {
            next = next.add(1);
            Some(CStr::from_ptr(entry).to_bytes())
        }
    })
}

fn split(entry: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = entry.iter().position(|&byte| byte == b'=')?;
    Some((&entry[..equals], &entry[equals + 1..]))
}

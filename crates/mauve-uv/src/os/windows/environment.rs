//! Environment variables, which the system has in UTF-16.

use std::ffi::{c_char, c_int};
use std::ptr::{null, null_mut};

use mauve_sys::fs::path;
use mauve_sys::{Errno, Result};
use windows_sys::Win32::Foundation::{
    ERROR_ENVVAR_NOT_FOUND, ERROR_SUCCESS, GetLastError, SetLastError,
};
use windows_sys::Win32::System::Environment::{
    FreeEnvironmentStringsW, GetEnvironmentStringsW, GetEnvironmentVariableW,
    SetEnvironmentVariableW,
};

use crate::abi::uv_env_item_t;
use crate::allocator;
use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_getenv(name: Ptr<c_char>, buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    text::return_string(buffer, size, || {
        let value = get(&path::to_wide(text::borrow(&name))?)?;
        Ok(path::from_wide(&value))
    })
}

/// The value of a variable, whose name is null-terminated.
fn get(name: &[u16]) -> Result<Vec<u16>> {
    let mut value = vec![0; 256];
    loop {
        // SAFETY: the name is null-terminated, and the buffer has the size that is passed.
        let length = unsafe {
            SetLastError(ERROR_SUCCESS);
            GetEnvironmentVariableW(name.as_ptr(), value.as_mut_ptr(), value.len() as u32) as usize
        };
        // SAFETY: takes no arguments.
        match unsafe { GetLastError() } {
            ERROR_ENVVAR_NOT_FOUND => return Err(Errno::ENOENT),
            ERROR_SUCCESS => {}
            _ if length == 0 => return Err(Errno::last()),
            _ => {}
        }
        if length < value.len() {
            value.truncate(length);
            return Ok(value);
        }
        // The required size, which another thread may change.
        value.resize(length + 1, 0);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_setenv(name: Ptr<c_char>, value: Ptr<c_char>) -> c_int {
    if name.is_null() || value.is_null() {
        return negative(Errno::EINVAL);
    }
    code(path::to_wide(text::borrow(&value)).and_then(|value| set(name, Some(&value))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_unsetenv(name: Ptr<c_char>) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    code(set(name, None))
}

fn set(name: Ptr<c_char>, value: Option<&[u16]>) -> Result<()> {
    let name = path::to_wide(text::borrow(&name))?;
    let value = value.map_or(null(), <[u16]>::as_ptr);
    // SAFETY: both are null-terminated, or the value is null.
    match unsafe { SetEnvironmentVariableW(name.as_ptr(), value) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_environ(items: Ptr<*mut uv_env_item_t>, count: Ptr<c_int>) -> c_int {
    items.write(null_mut());
    count.write(0);
    let entries = entries();
    let variables: Vec<(&[u8], &[u8])> = entries.iter().filter_map(|entry| split(entry)).collect();
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

/// The strings of the environment.
fn entries() -> Vec<Vec<u8>> {
    // SAFETY: takes no arguments. The result is null, or a list of strings that ends with an empty one.
    let block = unsafe { GetEnvironmentStringsW() };
    let (mut entries, mut next) = (Vec::new(), block.cast_const());
    if block.is_null() {
        return entries;
    }
    // SAFETY: every string of the list is null-terminated, and the last one is empty.
    unsafe {
        while *next != 0 {
            let length = (0..).take_while(|at| *next.add(*at) != 0).count();
            entries.push(path::from_wide(std::slice::from_raw_parts(next, length)));
            next = next.add(length + 1);
        }
        FreeEnvironmentStringsW(block);
    }
    entries
}

/// The name and the value. The names of the working directories of drives begin with `=`.
fn split(entry: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = 1 + entry.iter().skip(1).position(|&byte| byte == b'=')?;
    Some((&entry[..equals], &entry[equals + 1..]))
}

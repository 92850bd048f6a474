//! The process title: that of the console window.

use std::ffi::{c_char, c_int};
use std::sync::{Mutex, PoisonError};

use mauve_sys::Errno;
use mauve_sys::fs::path;
use windows_sys::Win32::Foundation::{ERROR_SUCCESS, GetLastError, SetLastError};
use windows_sys::Win32::System::Console::{GetConsoleTitleW, SetConsoleTitleW};

use crate::ffi::{Ptr, negative};
use crate::text;

/// The longest title, as in libuv.
const MAX_TITLE: usize = 8192;

/// The title that was set or queried last.
static TITLE: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// The arguments are not changed.
#[unsafe(no_mangle)]
pub extern "C" fn uv_setup_args(_argc: c_int, argv: Ptr<*mut c_char>) -> *mut *mut c_char {
    argv.raw()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_set_process_title(title: Ptr<c_char>) -> c_int {
    let mut wide = match path::to_wide(text::borrow(&title)) {
        Ok(wide) => wide,
        Err(error) => return negative(error),
    };
    if wide.len() > MAX_TITLE {
        wide.truncate(MAX_TITLE - 1);
        wide.push(0);
    }
    // SAFETY: the title is null-terminated.
    if unsafe { SetConsoleTitleW(wide.as_ptr()) } == 0 {
        return negative(Errno::last());
    }
    let mut current = TITLE.lock().unwrap_or_else(PoisonError::into_inner);
    *current = Some(path::from_wide(&wide[..wide.len() - 1]));
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_process_title(buffer: Ptr<c_char>, size: usize) -> c_int {
    if buffer.is_null() || size == 0 {
        return negative(Errno::EINVAL);
    }
    let mut current = TITLE.lock().unwrap_or_else(PoisonError::into_inner);
    if current.is_none() {
        let mut wide = vec![0; MAX_TITLE];
        // SAFETY: the buffer has the size that is passed.
        let (length, error) = unsafe {
            SetLastError(ERROR_SUCCESS);
            let length = GetConsoleTitleW(wide.as_mut_ptr(), MAX_TITLE as u32) as usize;
            (length, GetLastError())
        };
        // The title may be empty.
        if length == 0 && error != ERROR_SUCCESS {
            return negative(Errno::last());
        }
        *current = Some(path::from_wide(&wide[..length.min(MAX_TITLE)]));
    }
    match &*current {
        Some(title) if title.len() < size => {
            text::copy(title, buffer, size);
            0
        }
        _ => negative(Errno::ENOBUFS),
    }
}

/// Forgets the title. Called by `uv_library_shutdown`.
pub(crate) fn forget() {
    if let Ok(mut title) = TITLE.try_lock() {
        *title = None;
    }
}

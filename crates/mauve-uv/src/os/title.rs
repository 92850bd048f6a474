//! The process title: what `ps` shows.
//!
//! The system shows the memory that the program's arguments were in when it was started. Setting
//! a title overwrites that memory, so the program is given a copy of its arguments to go on with.

use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, PoisonError};

use mauve_sys::thread::set_current_name;
use mauve_sys::{Errno, fork};

use crate::ffi::{Ptr, negative};
use crate::text;

/// The memory of the original arguments.
struct Title {
    memory: *mut u8,
    /// How many bytes there are, the final zero included.
    capacity: usize,
    /// How long the current title is.
    length: usize,
}

// SAFETY: the memory lives as long as the process, and is touched only under the lock.
unsafe impl Send for Title {}

/// Until the program has handed over its arguments there is no title.
static TITLE: Mutex<Option<Title>> = Mutex::new(None);

/// Uses the title with the lock held, which a forked child must not find locked.
fn with<R>(action: impl FnOnce(&mut Option<Title>) -> R) -> R {
    fork::with_forks_blocked(|| action(&mut TITLE.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Returns a copy of the arguments, or the arguments themselves if there is no memory for one.
/// The copy is never freed: the program has no other arguments from now on.
#[export]
pub extern "C" fn uv_setup_args(argc: c_int, argv: Ptr<*mut c_char>) -> *mut *mut c_char {
    let count = usize::try_from(argc).unwrap_or(0);
    if count == 0 || argv.is_null() {
        return argv.raw();
    }
    // SAFETY: the program vouches for as many pointers as it says.
    let arguments = unsafe { std::slice::from_raw_parts(argv.raw(), count) };
    // SAFETY: each is a string, by the program's word.
    let texts = arguments.iter().map(|&argument| unsafe { CStr::from_ptr(argument) }.to_bytes());
    let texts: Vec<&[u8]> = texts.collect();
    let header = size_of::<*mut c_char>() * (count + 1);
    let Some((memory, strings)) = text::block(header, &texts) else {
        return argv.raw();
    };
    let copy = memory.cast::<*mut c_char>();
    // SAFETY: the block begins with room for this list.
    unsafe { text::store_list(&strings, copy) };
    let title =
        Title { memory: arguments[0].cast(), capacity: extent(&texts), length: texts[0].len() };
    with(|current| *current = Some(title));
    copy
}

/// How many bytes the strings take together, as far as each follows the one before.
fn extent(texts: &[&[u8]]) -> usize {
    let mut end = texts[0].as_ptr();
    let adjacent = texts.iter().take_while(|text| {
        let follows = text.as_ptr() == end;
        end = text.as_ptr().wrapping_add(text.len() + 1);
        follows
    });
    adjacent.map(|text| text.len() + 1).sum()
}

/// A title that is too long is cut. The calling thread gets the name too.
#[export]
pub extern "C" fn uv_set_process_title(title: Ptr<c_char>) -> c_int {
    with(|current| {
        let Some(current) = current else {
            return negative(Errno::ENOBUFS);
        };
        let new = text::borrow(&title).to_bytes();
        current.length = new.len().min(current.capacity - 1);
        // SAFETY: `capacity` bytes are there, and at least one stays free for the final zero. The
        // new title may be a part of the old one.
        let shown = unsafe {
            current.memory.copy_from(new.as_ptr(), current.length);
            current.memory.add(current.length).write_bytes(0, current.capacity - current.length);
            CStr::from_ptr(current.memory.cast())
        };
        // Only cosmetic: an error is not reported.
        let _ = set_current_name(shown);
        0
    })
}

#[export]
pub extern "C" fn uv_get_process_title(buffer: Ptr<c_char>, size: usize) -> c_int {
    if buffer.is_null() || size == 0 {
        return negative(Errno::EINVAL);
    }
    with(|title| match title {
        Some(title) if title.length < size => {
            // SAFETY: as many bytes were written, or were there from the beginning.
            let current = unsafe { std::slice::from_raw_parts(title.memory, title.length) };
            text::copy(current, buffer, size);
            0
        }
        _ => negative(Errno::ENOBUFS),
    })
}

/// Lets go of the arguments. Called when the library is unloaded, too late for fork handlers.
pub(crate) fn forget() {
    if let Ok(mut title) = TITLE.try_lock() {
        *title = None;
    }
}

//! The process title, as shown by `ps`.
//!
//! The system shows the memory of the original arguments of the program. Setting a title overwrites
//! that memory, so `uv_setup_args` returns a copy of the arguments.

use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, PoisonError};

use mauve_sys::thread::set_current_name;
use mauve_sys::{Errno, fork};

use crate::ffi::{Ptr, negative};
use crate::text;

/// The memory of the original arguments.
struct Title {
    memory: *mut u8,
    /// The size in bytes, including the terminator.
    capacity: usize,
    /// The length of the current title.
    length: usize,
}

// SAFETY: the memory is valid for the whole process, and used only under the lock.
unsafe impl Send for Title {}

/// `None` before `uv_setup_args`.
static TITLE: Mutex<Option<Title>> = Mutex::new(None);

/// Calls `action` with the lock held. No thread can fork meanwhile, since the child would deadlock.
fn with<R>(action: impl FnOnce(&mut Option<Title>) -> R) -> R {
    fork::with_forks_blocked(|| action(&mut TITLE.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Returns a copy of the arguments, or the arguments themselves if the allocation fails. The copy
/// is never freed, because the program uses it instead.
#[unsafe(no_mangle)]
pub extern "C" fn uv_setup_args(argc: c_int, argv: Ptr<*mut c_char>) -> *mut *mut c_char {
    let count = usize::try_from(argc).unwrap_or(0);
    if count == 0 || argv.is_null() {
        return argv.raw();
    }
    // SAFETY: the program guarantees `argc` pointers.
    let arguments = unsafe { std::slice::from_raw_parts(argv.raw(), count) };
    // SAFETY: the program guarantees valid strings.
    let texts = arguments.iter().map(|&argument| unsafe { CStr::from_ptr(argument) }.to_bytes());
    let texts: Vec<&[u8]> = texts.collect();
    let header = size_of::<*mut c_char>() * (count + 1);
    let Some((memory, strings)) = text::allocate_block(header, &texts) else {
        return argv.raw();
    };
    let copy = memory.cast::<*mut c_char>();
    // SAFETY: the block starts with space for this list.
    unsafe { text::store_list(&strings, copy) };
    let title =
        Title { memory: arguments[0].cast(), capacity: extent(&texts), length: texts[0].len() };
    with(|current| *current = Some(title));
    copy
}

/// The number of bytes of all strings that are adjacent in memory, starting with the first.
fn extent(texts: &[&[u8]]) -> usize {
    let mut end = texts[0].as_ptr();
    let adjacent = texts.iter().take_while(|text| {
        let follows = text.as_ptr() == end;
        end = text.as_ptr().wrapping_add(text.len() + 1);
        follows
    });
    adjacent.map(|text| text.len() + 1).sum()
}

/// Truncates a title that is too long. Also sets the name of the calling thread.
#[unsafe(no_mangle)]
pub extern "C" fn uv_set_process_title(title: Ptr<c_char>) -> c_int {
    with(|current| {
        let Some(current) = current else {
            return negative(Errno::ENOBUFS);
        };
        let new = text::borrow(&title).to_bytes();
        current.length = new.len().min(current.capacity - 1);
        // SAFETY: the memory has `capacity` bytes, and at least one is left for the terminator. The
        // new title may overlap with the old one.
        let shown = unsafe {
            current.memory.copy_from(new.as_ptr(), current.length);
            current.memory.add(current.length).write_bytes(0, current.capacity - current.length);
            CStr::from_ptr(current.memory.cast())
        };
        // The thread name is optional, so an error is ignored.
        let _ = set_current_name(shown);
        0
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_process_title(buffer: Ptr<c_char>, size: usize) -> c_int {
    if buffer.is_null() || size == 0 {
        return negative(Errno::EINVAL);
    }
    with(|title| match title {
        Some(title) if title.length < size => {
            // SAFETY: `length` bytes of the memory are initialised.
            let current = unsafe { std::slice::from_raw_parts(title.memory, title.length) };
            text::copy(current, buffer, size);
            0
        }
        _ => negative(Errno::ENOBUFS),
    })
}

/// Forgets the original arguments. Called when the library is unloaded, so it uses no fork
/// handlers.
pub(crate) fn forget() {
    if let Ok(mut title) = TITLE.try_lock() {
        *title = None;
    }
}

//! Functions of glibc that the program, or a preloaded tool, replaces.

use std::ffi::{c_int, c_void};

use super::contains;

/// Whether a function that this library imports is not that of the C library.
pub(crate) fn is_replaced(function: *const ()) -> bool {
    let mut search = Search { function, is_replaced: false };
    // SAFETY: the callback gets a pointer to `search`, which is valid during the call.
    unsafe { libc::dl_iterate_phdr(Some(check_object), (&raw mut search).cast()) };
    search.is_replaced
}

struct Search {
    function: *const (),
    is_replaced: bool,
}

/// Checks one loaded object. Returns 1 to end the iteration, which is when it is the C library.
unsafe extern "C" fn check_object(
    info: *mut libc::dl_phdr_info,
    _: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the dynamic linker passes a valid `info`, and `is_replaced` passes `search`.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // Nothing replaces this function.
    let own = libc::gnu_get_libc_version as *const ();
    // SAFETY: the dynamic linker does not unload the object during the callback.
    let is_library = unsafe { contains(info, own) };
    if is_library {
        // SAFETY: as above.
        search.is_replaced = unsafe { !contains(info, search.function) };
    }
    c_int::from(is_library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_this_program_replaces_one_of_the_library() {
        assert!(is_replaced(is_replaced as *const ()));
        assert!(!is_replaced(libc::gnu_get_libc_version as *const ()));
    }
}

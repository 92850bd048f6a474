//! Where the stack of the calling thread is, from the C library.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;

/// The addresses of the calling thread's own stack. A coroutine has another one.
pub fn own_stack() -> Option<Range<usize>> {
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the thread exists, and the call fills the attributes if it succeeds.
    if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut begin, mut size): (*mut c_void, usize) = (ptr::null_mut(), 0);
    // SAFETY: the attributes were filled. They are destroyed once, and not used afterwards.
    let status = unsafe {
        let attributes = attributes.as_mut_ptr();
        let status = libc::pthread_attr_getstack(attributes, &raw mut begin, &raw mut size);
        libc::pthread_attr_destroy(attributes);
        status
    };
    (status == 0).then(|| begin as usize..begin as usize + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_variable_is_on_the_own_stack_and_a_box_is_not() {
        let check = || {
            let (local, boxed) = (0_u8, Box::new(0_u8));
            let stack = own_stack().expect("the bounds");
            assert!(stack.contains(&(&raw const local as usize)), "{stack:?}");
            assert!(!stack.contains(&(&raw const *boxed as usize)), "{stack:?}");
        };
        check();
        std::thread::spawn(check).join().expect("the thread");
    }
}

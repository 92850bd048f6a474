//! The handles: what all platforms have in common.

use std::ffi::{c_uint, c_void};

use mauve_sys::descriptor::RawDescriptor;

use super::callbacks::*;
use super::{uv_handle_type, uv_loop_t};
use crate::ffi::{Handle, Ptr};

/// See [`Handle::MAKES_SYSTEM_CALLS`].
pub(super) const NO_SYSTEM_CALLS: bool = false;

/// Declares a handle type: the fields of `uv_handle_t`, and then its own.
macro_rules! handle {
    ($(#[$doc:meta])* pub struct $name:ident $(: $system_calls:ident)? {
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            pub data: *mut c_void,
            pub r#loop: *mut uv_loop_t,
            pub r#type: uv_handle_type,
            pub(crate) close_cb: uv_close_cb,
            /// The id of the handle in the engine.
            pub(crate) id: u64,
            /// Check value: `id` was written by the library, at this address.
            pub(crate) seal: u64,
            _u: [usize; 4],
            _next_closing: usize,
            pub(crate) flags: c_uint,
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }

        // SAFETY: it starts with the fields of `uv_handle_t`.
        unsafe impl Handle for $name {
            $(const MAKES_SYSTEM_CALLS: bool = $system_calls;)?
        }
    };
}

pub(super) use handle;

handle! {
    /// The functions for any handle that make system calls do not use its constant: `uv_close`.
    pub struct uv_handle_t: NO_SYSTEM_CALLS {}
}
handle! { pub struct uv_fs_poll_t { poll_cb: uv_fs_poll_cb, } }

/// A handle whose struct has a field with its descriptor.
pub(crate) trait HasDescriptor: Handle {
    /// The field.
    ///
    /// # Safety
    /// The pointer is that of an initialised handle.
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor;
}

impl<T: HasDescriptor> Ptr<T> {
    /// The descriptor that programs read in the struct.
    #[inline(always)]
    pub(crate) fn published(self) -> RawDescriptor {
        // SAFETY: initialised and valid by the guarantees of `Ptr`.
        unsafe { T::descriptor_field(self.raw()).read() }
    }

    /// Stores the descriptor where programs read it.
    pub(crate) fn set_published(self, fd: RawDescriptor) {
        // SAFETY: as above.
        unsafe { T::descriptor_field(self.raw()).write(fd) };
    }
}

//! Open sockets, pipes and terminals, as the engine and the Rust API name them: owned, borrowed, and as
//! the number that a C program passes.
//!
//! Callers use the name of what they mean. A system where these differ may give each name a type of its own.

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        pub(crate) use windows::{AtomicDescriptor, from_crt, from_raw, handle};
        pub use windows::*;
    } else {
        mod unix;
        pub(crate) use unix::{AtomicDescriptor, from_raw};
        pub use unix::*;
    }
}

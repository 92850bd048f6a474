//! `preadv2` and `pwritev2` of the C library.

pub use libc::{preadv2, pwritev2};

//! The kinds of request.

pub mod read;
pub mod work;

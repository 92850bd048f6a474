//! The kinds of request.

pub mod work;

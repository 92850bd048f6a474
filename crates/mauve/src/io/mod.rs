//! Standard streams, and buffered reading.
//!
//! Streams implement the traits of [futures-io](futures_io), so the adapters of `futures-lite` and
//! `futures-util` work with all of them.
//!
//! # Cancel safety
//! Of all streams, files included: a read that has not completed has taken no bytes, and a write that has
//! not completed has accepted none. A file or standard stream writes what it has accepted even if it is
//! dropped, and the next write or flush returns the error. Adapters that need several reads or writes, such
//! as `read_exact`, `write_all` and `copy`, lose what they had done when they are dropped.

mod buf_reader;
mod lines;
mod stdio;

pub use buf_reader::BufReader;
pub use futures_io::{AsyncBufRead, AsyncRead, AsyncSeek, AsyncWrite};
pub use lines::{Lines, lines};
pub use stdio::{Stderr, Stdin, Stdout, stderr, stdin, stdout};

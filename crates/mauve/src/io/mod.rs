//! Standard streams, and buffered reading.
//!
//! Streams implement the traits of [futures-io](futures_io), so the adapters of `futures-lite` and
//! `futures-util` work with all of them.

mod buf_reader;
mod lines;
mod stdio;

pub use buf_reader::BufReader;
pub use futures_io::{AsyncBufRead, AsyncRead, AsyncSeek, AsyncWrite};
pub use lines::{Lines, lines};
pub use stdio::{Stderr, Stdin, Stdout, stderr, stdin, stdout};

//! The HTML page: one file with its style, its script and the trace, which needs no network.

mod columns;
mod data;
mod page;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;

use crate::Trace;

/// Effort of the compression, of ten. More takes longer and saves little.
const LEVEL: u8 = 5;

/// Writes the page of a trace.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let data = STANDARD.encode(compress_to_vec(&data::encode(trace), LEVEL));
    let [head, middle, tail] = page::parts();
    for part in [&head, &data, &middle, &page::script(), &tail] {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

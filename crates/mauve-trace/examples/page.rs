//! Writes the page of a generated trace:
//! `cargo run -p mauve-trace --example page -- 5000 trace.html`. With a third argument, a schedule has decided the
//! order of its callbacks.

use std::fs::File;
use std::io::{self, BufWriter};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let callbacks = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(5_000);
    let file = arguments.next().unwrap_or("trace.html".to_owned());
    let trace = match arguments.next() {
        Some(_) => mauve_trace::synthetic::trace_with_decisions(callbacks),
        None => mauve_trace::synthetic::trace(callbacks),
    };
    mauve_trace::html::write(&trace, &mut BufWriter::new(File::create(file)?))
}

//! Writes the page of a generated trace: `cargo run -p mauve-trace --example page -- 5000 > x.html`.

fn main() -> std::io::Result<()> {
    let callbacks = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5_000);
    mauve_trace::html::write(&mauve_trace::synthetic::trace(callbacks), &mut std::io::stdout())
}

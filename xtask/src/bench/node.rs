//! Node 18 as Debian has it, which finds `libuv.so.1` as any program does: what a user of Node
//! feels of the library.

use std::path::Path;
use std::process::Command;

use crate::{programs, root};

/// Node with a script of `benches/node`, on this library.
pub fn script(name: &str, library: Option<&Path>) -> Result<Command, String> {
    // A folder without a library in it leads to the system's.
    let library = library.map_or_else(|| root().join("benches"), Path::to_owned);
    let mut command = programs::node_on(library)?;
    command.arg(root().join("benches/node").join(format!("{name}.js")));
    Ok(command)
}

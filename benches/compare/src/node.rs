//! Debian's Node 18, which loads `libuv.so.1` as any program does.

use std::path::Path;
use std::process::Command;

use crate::root;

/// The command that runs a script of `benches/node` on this library.
pub fn script(name: &str, library: Option<&Path>) -> Result<Command, String> {
    let xtask = std::env::var_os("XTASK").ok_or("XTASK is not set: run `cargo xtask bench`")?;
    // A folder without a library in it selects the system's.
    let library = library.map_or_else(|| root().join("benches"), Path::to_owned);
    let mut command = Command::new(xtask);
    command.arg("node").arg(library);
    command.arg(root().join("benches/node").join(format!("{name}.js")));
    Ok(command)
}

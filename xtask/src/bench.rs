//! `cargo xtask bench`: builds the release library and runs `benches/compare`, which measures.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ArgMatches;

use crate::arguments::{has, text};
use crate::{build, programs, root};

/// Runs the comparison with the options.
pub fn run(matches: &ArgMatches) -> Result<(), String> {
    let options = ["quick", "save", "system"].into_iter().filter(|name| has(matches, name));
    let options = options.map(|name| format!("--{name}"));
    let library = build::our_library()?;
    let xtask = std::env::current_exe().map_err(|error| format!("xtask: {error}"))?;
    let mut cargo = build::cargo();
    cargo.args(["run", "--quiet", "--locked", "--package", "mauve-compare", "--"]);
    cargo
        .args(options)
        .args(text(matches, "GROUP"))
        .current_dir(root())
        .env("MAUVE_LIBRARY", library)
        .env("XTASK", xtask);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("bench: {status}")) }
}

/// Builds libuv 1.52, unless it is up to date. Returns the folder with its `libuv.so.1`.
pub fn libuv() -> Result<PathBuf, String> {
    let mut cargo = build::cargo();
    cargo.args(["run", "--quiet", "--locked", "--package", "mauve-compare", "--"]);
    let printed = build::quietly(cargo.arg("--build-libuv").current_dir(root()))?;
    Ok(PathBuf::from(printed.trim()))
}

/// Replaces this process with Debian's Node on the `libuv.so.1` of a folder.
pub fn node(library: &str, arguments: &[&str]) -> Result<(), String> {
    let mut node: Command = programs::node_on(Path::new(library).to_owned())?;
    let error = std::os::unix::process::CommandExt::exec(node.args(arguments));
    Err(format!("node: {error}"))
}

//! `cargo xtask bench`: builds the release library and runs `benches/compare`, which measures.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{build, programs, root};

/// The command line of `cargo xtask bench`.
#[derive(Args)]
pub struct Options {
    /// Run only these workloads: tcp, timers, scripts, trace, ...
    group: Option<String>,
    /// About two minutes instead of eleven: fewer samples and contenders
    #[arg(long)]
    quick: bool,
    /// Write the report to docs/bench
    #[arg(long)]
    save: bool,
    /// Compare with the system's libuv
    #[arg(long)]
    system: bool,
}

/// Runs the comparison with the options.
pub fn run(options: &Options) -> Result<(), String> {
    let flags =
        [("--quick", options.quick), ("--save", options.save), ("--system", options.system)];
    let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name);
    let library = build::our_library()?;
    let xtask = std::env::current_exe().map_err(|error| format!("xtask: {error}"))?;
    let mut cargo = build::cargo();
    cargo.args(["run", "--quiet", "--locked", "--package", "mauve-compare", "--"]);
    cargo
        .args(flags)
        .args(&options.group)
        .current_dir(root())
        .env("MAUVE_LIBRARY", library)
        .env("XTASK", xtask);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("bench: {status}")) }
}

/// Builds libuv 1.53, unless it is up to date. Returns the folder with its `libuv.so.1`.
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

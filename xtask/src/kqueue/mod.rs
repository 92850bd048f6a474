//! `cargo xtask kqueue`: runs the tests on Linux with the selector for kqueue, on libkqueue.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::{compiler, quietly};
use crate::{files, root, target};

/// A library that has libkqueue leave the pending errors of sockets to the program.
const SHIM: &str = "xtask/src/kqueue/keep_error.c";

/// The runner of the tests. The compiler itself must not load the libraries.
const RUNNER: &str = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER";

/// Runs the tests with the library in `folder`; `arguments` are passed to `cargo test`.
pub fn run(folder: &str, arguments: &[&str]) -> Result<(), String> {
    let folder = Path::new(folder);
    let folder = files::at(folder, folder.canonicalize())?;
    if !folder.join("libkqueue.so").exists() {
        return Err(format!("{} has no libkqueue.so: build libkqueue there", folder.display()));
    }
    let target = target().join("kqueue");
    let shim = compile_shim(&target)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--locked", "--no-fail-fast"]);
    if arguments.is_empty() {
        cargo.args(["-p", "mauve-sys", "-p", "mauve-core", "-p", "mauve", "--lib", "--tests"]);
    }
    cargo.args(arguments).current_dir(root()).env("CARGO_TARGET_DIR", &target);
    cargo.env("RUSTFLAGS", format!("--cfg mauve_kqueue -L {}", folder.display()));
    let (folder, shim) = (folder.display(), shim.display());
    cargo.env(RUNNER, format!("env LD_LIBRARY_PATH={folder} LD_PRELOAD={shim}"));
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the tests failed".to_owned()) }
}

fn compile_shim(folder: &Path) -> Result<PathBuf, String> {
    let library = files::create(folder)?.join("keep_error.so");
    let mut cc = compiler();
    cc.args(["-Wall", "-Werror", "-O1", "-fPIC", "-shared", "-o"]).arg(&library);
    quietly(cc.arg(root().join(SHIM)))?;
    Ok(library)
}

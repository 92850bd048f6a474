//! Build helpers that several tasks share: cargo, the C compiler, and the release library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::{dist, files, root, target};

static IS_INCREMENTAL: AtomicBool = AtomicBool::new(true);

/// The cargo that runs this task. Without the variables that describe the package of this program:
/// build scripts read them (that of `ring` does), so a change compiles their crates again.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    if !IS_INCREMENTAL.load(Ordering::Relaxed) && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        cargo.env("CARGO_INCREMENTAL", "0");
    }
    cargo
}

/// Makes [`cargo`] build without the files of incremental builds, unless the environment says otherwise.
pub fn disable_incremental() {
    IS_INCREMENTAL.store(false, Ordering::Relaxed);
}

/// The system's C compiler.
pub fn compiler() -> Command {
    Command::new(std::env::var_os("CC").unwrap_or("cc".into()))
}

/// The build folder of the benchmarks.
pub fn folder() -> Result<PathBuf, String> {
    files::create(target().join("bench"))
}

/// Builds our library and copies it to a separate folder as `libuv.so.1`. Returns the folder.
pub fn our_library() -> Result<PathBuf, String> {
    let folder = folder()?.join("mauve");
    files::copy(&dist::build()?.shared, &folder.join("libuv.so.1"))?;
    Ok(folder)
}

/// Builds the library of the profile `dev`. Returns its path.
pub fn debug_library() -> Result<PathBuf, String> {
    let mut cargo = cargo();
    cargo.args(["build", "-p", "mauve-uv", "--locked", "--quiet"]).current_dir(root());
    quietly(cargo.env("CARGO_TARGET_DIR", target()))?;
    Ok(target().join("debug/libuv.so"))
}

/// Links a library by the names that the linker and the loader look for. Returns the folder of the links.
pub fn link_library(library: &Path, folder: PathBuf) -> Result<PathBuf, String> {
    for name in ["libuv.so", "libuv.so.1"] {
        files::link(library, &folder.join(name))?;
    }
    Ok(folder)
}

/// `cargo metadata` of the repository in `source`.
pub fn metadata(source: &Path, arguments: &[&str]) -> Result<Value, String> {
    let mut command = cargo();
    command.args(["metadata", "--format-version=1", "--locked"]).args(arguments);
    let text = quietly(command.current_dir(source))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

/// Runs a command to its end and returns its output. A failure returns its error output.
pub fn quietly(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}\n{}", output.status, errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

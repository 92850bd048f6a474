//! Build helpers that several tasks share: cargo, the C compiler, and the release library.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{dist, target};

static IS_INCREMENTAL: AtomicBool = AtomicBool::new(true);

/// The cargo that runs this task.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
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
    let folder = target().join("bench");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// Builds our library and copies it to a separate folder as `libuv.so.1`. Returns the folder.
pub fn our_library() -> Result<PathBuf, String> {
    let library = dist::build()?.shared;
    let folder = folder()?.join("mauve");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    // Copying over the file would change it under programs that have it mapped.
    let _ = std::fs::remove_file(folder.join("libuv.so.1"));
    std::fs::copy(&library, folder.join("libuv.so.1"))
        .map_err(|e| format!("{}: {e}", library.display()))?;
    Ok(folder)
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

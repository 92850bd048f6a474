//! `cargo xtask lint`: the linter for JavaScript.
//!
//! It is Biome, in the version that `package.json` names and `package-lock.json` pins, with the
//! rules of `biome.jsonc`. npm installs the program itself, one package per platform, into
//! `node_modules` when it is missing there or the lock file is newer. Where that is not possible
//! the step is skipped: all other steps run without npm.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::setup;
use crate::tally::Tally;

/// Lints every script of the repository. Skipped if Biome cannot be installed here.
pub fn run() -> Result<Tally, String> {
    let root = crate::root();
    let program = match install(&root) {
        Ok(program) => program,
        Err(why) => return Ok(Tally::skipped(why)),
    };
    let mut biome = Command::new(program);
    biome.args(["lint", "--error-on-warnings"]).current_dir(&root);
    let status = biome.status().map_err(|e| format!("biome: {e}"))?;
    if status.success() {
        Ok(Tally::passed(1))
    } else {
        Err("`cargo xtask lint` failed".to_owned())
    }
}

/// Installs the packages of `package.json` if it has to.
pub fn packages() -> Result<(), String> {
    let root = crate::root();
    if is_installed(&root) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(root);
    npm.env("PATH", setup::path());
    let output = npm.stdout(Stdio::null()).output().map_err(|e| format!("npm: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`npm ci`: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Installs Biome if it has to. Returns the path of the program.
fn install(root: &Path) -> Result<PathBuf, String> {
    let platform = match std::env::consts::ARCH {
        "x86_64" => "cli-linux-x64",
        "aarch64" => "cli-linux-arm64",
        other => return Err(format!("package.json names no Biome for {other}")),
    };
    packages()?;
    let program = root.join("node_modules/@biomejs").join(platform).join("biome");
    if program.exists() { Ok(program) } else { Err(format!("npm did not install {platform}")) }
}

/// Whether Biome is installed, in the version of the lock file.
pub fn is_available() -> bool {
    is_installed(&crate::root())
}

/// Whether npm is up to date: it writes its own lock file after it has installed everything.
fn is_installed(root: &Path) -> bool {
    let modified = |file: &str| root.join(file).metadata().and_then(|data| data.modified());
    let (Ok(installed), Ok(wanted)) =
        (modified("node_modules/.package-lock.json"), modified("package-lock.json"))
    else {
        return false;
    };
    installed >= wanted
}

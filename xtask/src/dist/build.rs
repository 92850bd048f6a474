//! Builds the library and the command for distribution.
//!
//! Paths of this machine are replaced in panic messages and line tables, so that the result does not
//! depend on the folders: those of the repository, of the crates and of the standard library.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::succeed;
use crate::build::cargo;
use crate::{root, target};

/// The built libraries.
pub struct Built {
    pub shared: PathBuf,
    pub archive: PathBuf,
}

/// Builds the library, with the profile `dist`.
pub fn build() -> Result<Built, String> {
    build_in(&root(), &target())
}

/// Builds the library of the repository in `source`, below the folder `target`. Without the crate type
/// `lib`, which only tests need: cargo disables link-time optimisation for all crate types if it is
/// among them.
pub fn build_in(source: &Path, target: &Path) -> Result<Built, String> {
    let mut cargo = cargo();
    cargo.args(["rustc", "--quiet", "--profile", "dist", "--locked", "-p", "mauve-uv", "--lib"]);
    cargo.args(["--crate-type", "cdylib,staticlib"]);
    succeed(without_paths(&mut cargo, source)?.env("CARGO_TARGET_DIR", target))?;
    let folder = target.join("dist");
    Ok(Built { shared: folder.join("libuv.so"), archive: folder.join("libuv.a") })
}

/// Builds the command, as `cargo run --release` does. Returns its path.
pub fn build_command() -> Result<PathBuf, String> {
    // In a folder of its own: cargo would replace files that were built with other flags.
    let folder = target().join("command");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--release", "--locked", "-p", "mauve-cli"]);
    succeed(without_paths(&mut cargo, &root())?.env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join("release/mauve"))
}

/// Sets the compiler flags that replace paths, in addition to those of the environment.
fn without_paths<'a>(cargo: &'a mut Command, source: &Path) -> Result<&'a mut Command, String> {
    let inherited = std::env::var("RUSTFLAGS").unwrap_or_default();
    let mut flags: Vec<String> = inherited.split_whitespace().map(str::to_owned).collect();
    let mut replace = |from: &Path, to: &str| {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    };
    replace(source, "mauve");
    for folder in registries(source)? {
        replace(&folder, "crates");
    }
    if let Some((sources, name)) = standard_library()? {
        replace(&sources, &name);
    }
    cargo.current_dir(source).env_remove("RUSTFLAGS");
    Ok(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")))
}

/// The folder of the standard library's source, if it is installed, and the name that the compiler
/// gives it otherwise.
fn standard_library() -> Result<Option<(PathBuf, String)>, String> {
    let rustc = || Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    let sysroot = succeed(rustc().args(["--print", "sysroot"]).current_dir(root()))?;
    let version = succeed(rustc().arg("-vV").current_dir(root()))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    Ok(commit.filter(|_| sources.exists()).map(|commit| (sources, format!("/rustc/{commit}"))))
}

/// The folders of downloaded crates: `.../registry/src/NAME-HASH`.
fn registries(source: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let metadata = metadata(source)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let downloaded = packages.filter(|package| !package["source"].is_null());
    let manifests = downloaded.filter_map(|package| package["manifest_path"].as_str());
    Ok(manifests
        .filter_map(|path| Path::new(path).ancestors().nth(2))
        .map(Path::to_owned)
        .collect())
}

/// `cargo metadata` of a repository, for this platform.
fn metadata(source: &Path) -> Result<Value, String> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = cargo();
    command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", &platform]);
    let text = succeed(command.current_dir(source))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

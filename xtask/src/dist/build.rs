//! Builds the library and the command for distribution.
//!
//! Paths of this machine are replaced in panic messages and line tables, so that the result does not
//! depend on the folders: those of the repository, of the crates and of the standard library.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::{cargo, metadata, quietly};
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
    build_with(source, target, &[], None)
}

/// As [`build_in`], with compiler flags. They are not for programs of the build if there is a `triple`.
pub fn build_with(
    source: &Path,
    target: &Path,
    flags: &[String],
    triple: Option<&str>,
) -> Result<Built, String> {
    let mut cargo = cargo();
    cargo.args(["rustc", "--quiet", "--profile", "dist", "--locked", "-p", "mauve-uv", "--lib"]);
    cargo.args(["--crate-type", "cdylib,staticlib"]);
    if let Some(triple) = triple {
        cargo.args(["--target", triple]);
    }
    let flags = [flags, &lazy_binding()].concat();
    quietly(set_flags(&mut cargo, source, &flags)?.env("CARGO_TARGET_DIR", target))?;
    let folder = target.join(triple.unwrap_or_default()).join("dist");
    Ok(Built { shared: folder.join("libuv.so"), archive: folder.join("libuv.a") })
}

/// Flags with which functions of the C library are looked up when they are first called, as in libuv. A look-up of
/// all of them when a program starts takes as many instructions as the rest of its start.
fn lazy_binding() -> Vec<String> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    vec!["-Crelro-level=partial".to_owned(), "-Clink-arg=-Wl,-z,lazy".to_owned()]
}

/// Builds the object that redirects programs with libuv linked in. Returns its path.
pub fn build_redirect() -> Result<PathBuf, String> {
    let mut cargo = cargo();
    cargo.args(["rustc", "--quiet", "--profile", "dist", "--locked", "-p", "mauve-redirect"]);
    cargo.args(["--lib", "--crate-type", "cdylib"]);
    quietly(set_flags(&mut cargo, &root(), &[])?.env("CARGO_TARGET_DIR", target()))?;
    Ok(target().join("dist/libmauve_redirect.so"))
}

/// Builds the command, as `cargo run --release` does. Returns its path.
pub fn build_command() -> Result<PathBuf, String> {
    // In a folder of its own: cargo would replace files that were built with other flags.
    let folder = target().join("command");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--release", "--locked", "-p", "mauve-cli"]);
    quietly(set_flags(&mut cargo, &root(), &[])?.env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join("release/mauve"))
}

/// Sets compiler flags, and those that replace paths, in addition to those of the environment.
pub(super) fn set_flags<'a>(
    cargo: &'a mut Command,
    source: &Path,
    more: &[String],
) -> Result<&'a mut Command, String> {
    let inherited = std::env::var("RUSTFLAGS").unwrap_or_default();
    let mut flags: Vec<String> = inherited.split_whitespace().map(str::to_owned).collect();
    flags.extend_from_slice(more);
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
    let sysroot = quietly(rustc().args(["--print", "sysroot"]).current_dir(root()))?;
    let version = quietly(rustc().arg("-vV").current_dir(root()))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    Ok(commit.filter(|_| sources.exists()).map(|commit| (sources, format!("/rustc/{commit}"))))
}

/// The folders of downloaded crates: `.../registry/src/NAME-HASH`.
fn registries(source: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let metadata = metadata(source, &["--filter-platform", &platform])?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let downloaded = packages.filter(|package| !package["source"].is_null());
    let manifests = downloaded.filter_map(|package| package["manifest_path"].as_str());
    Ok(manifests
        .filter_map(|path| Path::new(path).ancestors().nth(2))
        .map(Path::to_owned)
        .collect())
}

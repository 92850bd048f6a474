//! The library, built for a tool.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use super::Tool;
use crate::{root, target};

/// The platform is named, so that build scripts and macros are built without the sanitizer.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Builds the library; returns a folder in which it goes by the names that the linker and the
/// loader look for.
pub fn build(tool: Tool) -> Result<PathBuf, String> {
    let folder = target().join("sanitize").join(tool.name());
    let mut cargo = Command::new("cargo");
    let built = match tool {
        Tool::Valgrind => {
            cargo.args(["build", "-p", "mauve-uv", "--locked"]);
            target().join("debug/libuv.so")
        }
        Tool::Address | Tool::Thread => {
            has_nightly(tool)?;
            cargo.args(["+nightly", "build", "-p", "mauve-uv", "--locked", "--target", PLATFORM]);
            let name = if tool == Tool::Address { "address" } else { "thread" };
            cargo.env("RUSTFLAGS", format!("-Zsanitizer={name}"));
            if tool == Tool::Thread {
                // A standard library that it does not see through looks like one big race.
                cargo.arg("-Zbuild-std");
            }
            folder.join(PLATFORM).join("debug/libuv.so")
        }
    };
    // A folder of its own for each sanitizer: otherwise each kind of build would undo the other.
    let builds_in = if tool == Tool::Valgrind { target() } else { folder.clone() };
    cargo.env("CARGO_TARGET_DIR", builds_in).env_remove("RUSTUP_TOOLCHAIN").current_dir(root());
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("the library does not build for {}", tool.name()));
    }
    let links = folder.join("library");
    std::fs::create_dir_all(&links).map_err(|e| format!("{}: {e}", links.display()))?;
    for name in ["libuv.so", "libuv.so.1"] {
        let link = links.join(name);
        let _ = std::fs::remove_file(&link);
        symlink(&built, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    }
    Ok(links)
}

/// Says what is missing, and how to get it.
fn has_nightly(tool: Tool) -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["+nightly", "--print", "sysroot"]).env_remove("RUSTUP_TOOLCHAIN");
    let output = rustc.output().map_err(|e| format!("rustc: {e}"))?;
    if !output.status.success() {
        return Err(
            "sanitizers need a nightly toolchain: `rustup toolchain install nightly`".into()
        );
    }
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let source = sysroot.join("lib/rustlib/src/rust/library/std");
    if tool == Tool::Thread && !source.exists() {
        let component = "`rustup +nightly component add rust-src`";
        return Err(format!("tsan needs the source of the standard library: {component}"));
    }
    Ok(())
}

//! Builds the library for a tool.

use std::path::PathBuf;
use std::process::Command;

use super::Tool;
use crate::build::{debug_library, link_library};
use crate::{root, target};

/// With an explicit target, cargo builds build scripts and macros without the sanitizer.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Builds the library. Returns a folder with links to it by the names of the linker and the loader.
pub fn build(tool: Tool) -> Result<PathBuf, String> {
    let folder = target().join("sanitize").join(tool.name());
    let links = folder.join("library");
    let name = match tool {
        Tool::Valgrind => return link_library(&debug_library()?, links),
        Tool::Address => "address",
        Tool::Thread => "thread",
    };
    has_nightly(tool)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["+nightly", "build", "-p", "mauve-uv", "--locked", "--target", PLATFORM]);
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={name}")).env_remove("RUSTUP_TOOLCHAIN");
    if tool == Tool::Thread {
        // Without instrumentation of the standard library, tsan reports false races in it.
        cargo.arg("-Zbuild-std");
    }
    // A separate target folder for each sanitizer, so that the builds do not evict each other.
    cargo.env("CARGO_TARGET_DIR", &folder).current_dir(root());
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("the library does not build for {}", tool.name()));
    }
    link_library(&folder.join(PLATFORM).join("debug/libuv.so"), links)
}

/// Checks the toolchain. The error names the command that installs what is missing.
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

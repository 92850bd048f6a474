//! `cargo xtask cross`: compiles for aarch64, and runs the tests there under qemu.
//!
//! Builds the standard library from source (`-Zbuild-std`), so that no target has to be installed.
//! That needs a nightly toolchain. Running needs a cross compiler and qemu-user.

use std::process::Command;

use crate::{root, target};

const TRIPLE: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const RUNNER: &str = "qemu-aarch64";

pub fn run(tests: bool) -> Result<(), String> {
    let list =
        Command::new("rustup").args(["component", "list", "--toolchain", "nightly"]).output();
    let list = list.map_err(|error| format!("rustup: {error}"))?;
    if !String::from_utf8_lossy(&list.stdout).contains("rust-src (installed)") {
        return Err("needs a nightly toolchain with the component rust-src".to_owned());
    }
    cargo(&["check", "-p", "mauve", "-p", "mauve-uv"])?;
    if !tests {
        println!("{TRIPLE}: mauve and libuv.so compile");
        return Ok(());
    }
    for (program, package) in [(LINKER, "gcc-aarch64-linux-gnu"), (RUNNER, "qemu-user")] {
        if Command::new(program).arg("--version").output().is_err() {
            return Err(format!("needs {program}: apt-get install {package}"));
        }
    }
    cargo(&["test", "-p", "mauve-core", "-p", "mauve", "--lib", "--tests"])
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.arg("+nightly").args(arguments).args(["-Zbuild-std", "--target", TRIPLE, "--locked"]);
    // The cargo that started this program has set its own toolchain in the environment.
    command.current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command.env("CARGO_TARGET_DIR", target().join("cross"));
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    let runner = format!("{RUNNER} -L /usr/aarch64-linux-gnu");
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed", arguments[0])) }
}

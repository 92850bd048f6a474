//! `cargo xtask windows`: builds the tests of the crates and the C programs for Windows, and runs them under
//! wine.
//!
//! * [`programs`]: the C programs, with our DLL.
//! * [`wine`]: the programs of Debian's wine, with a folder of settings of our own.

mod programs;
mod wine;

use crate::cross;
use crate::setup::{Install, Setup, Tool};
use crate::tally::Tally;
use crate::test::command::tests;

pub use wine::{COMPILER, PACKAGES};

pub const TRIPLE: &str = "x86_64-pc-windows-gnu";

pub const TOOLS: &[Tool] = &[Tool::CrossCompiler, Tool::Wine];

pub fn is_installed() -> bool {
    wine::is_installed()
}

/// Installs what is missing, and runs the tests of the crates, or of those whose name has one of these parts.
pub fn run(names: &[&str]) -> Result<Tally, String> {
    if let Some(why) = Setup::prepare(TOOLS, Install::Everything).lacks(TOOLS) {
        return Err(why);
    }
    let wine = wine::Wine::prepare()?;
    let mut tally = Tally::default();
    if names.is_empty() {
        println!("header: {} numbers", crate::layouts::windows::check(wine::COMPILER)?);
        tally += programs::run(&wine)?;
    }
    let mut cargo = cargo("test");
    cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", wine::PROGRAM);
    wine.set_environment(&mut cargo);
    let skipped = cross::gaps::skipped(cross::gaps::WINDOWS, "rust");
    cross::run::select_tests(&mut cargo, cross::CRATES);
    cargo.arg("--").args(skipped.iter().flat_map(|name| ["--skip", name])).args(names);
    tally += tests(&mut cargo)?;
    tally.skip(skipped.len(), "not on Windows, or not under wine (xtask/cross/gaps.json)");
    println!("\n{tally}");
    Ok(tally)
}

/// Debian's cargo for Windows.
fn cargo(command: &str) -> std::process::Command {
    let mut cargo = cross::debian_cargo("cargo", command);
    cargo.args(["-Zbuild-std=std,panic_unwind,test", "--target", TRIPLE]);
    cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", wine::COMPILER);
    cargo
}

//! `cargo xtask cross`: type-checks and lints the crates for platforms other than this one.
//!
//! No target has to be installed: the standard library is checked from source (`-Zbuild-std`). The
//! compiler and that source are Debian's packages.
//!
//! * [`run`]: `--run`, which runs tests and C programs on other Linux platforms.
//! * [`gaps`]: what is not run there, and why.
//! * [`emulator`]: qemu-user for programs of another architecture.

mod emulator;
pub mod gaps;
pub mod run;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::{root, setup, target};

/// All platforms that are checked.
const TRIPLES: &[&str] = &[
    "aarch64-apple-darwin",
    "x86_64-unknown-freebsd",
    "x86_64-unknown-netbsd",
    "x86_64-unknown-openbsd",
    "x86_64-unknown-dragonfly",
    "x86_64-unknown-illumos",
    "x86_64-pc-solaris",
    "x86_64-unknown-hurd-gnu",
    "aarch64-unknown-linux-gnu",
    "riscv64gc-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "riscv64gc-unknown-linux-musl",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-msvc",
];

/// The crates that run on every Unix, and on Windows.
pub const CRATES: &[&str] = &["mauve-sys", "mauve-core", "mauve"];

/// The C ABI, which is for Linux and Windows. The layouts are checked at compile time.
const C_ABI: &[&str] = &["-p", "mauve-uv"];

/// The object that redirects programs to it, which is for Linux.
const REDIRECT: &[&str] = &["-p", "mauve-redirect"];

/// Debian's packages, from bookworm-security on.
pub const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"];

/// The folder of Debian's programs, and the source of the standard library.
const PROGRAMS: &str = "/usr/bin";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";

/// Whether Debian's compiler, linter and source are installed.
pub fn is_installed() -> bool {
    ["rustc", "cargo", "cargo-clippy"].iter().all(|name| debian(name).exists())
        && Path::new(SOURCE).exists()
}

fn debian(program: &str) -> PathBuf {
    Path::new(PROGRAMS).join(program)
}

/// Checks and lints one platform, or all.
pub fn run(triple: Option<&str>) -> Result<(), String> {
    let triples = match triple {
        None => TRIPLES,
        Some(triple) => {
            let known = TRIPLES.iter().position(|known| *known == triple);
            let at = known.ok_or_else(|| {
                format!("unknown platform {triple}; known are {}", TRIPLES.join(", "))
            })?;
            &TRIPLES[at..=at]
        }
    };
    check_version()?;
    let mut failed = Vec::new();
    for triple in triples {
        let begin = Instant::now();
        // Not `cargo clippy`, which prefers a linter that rustup has installed.
        let mut clippy = cargo("cargo-clippy", "clippy", &[triple]);
        clippy.args(["--", "-D", "warnings"]);
        // Reported for values that are constant, on systems with thread-local keys.
        clippy.args(["-A", "clippy::missing_const_for_thread_local"]);
        let status = clippy.status().map_err(|error| format!("cargo: {error}"))?;
        let outcome = if status.success() { "ok" } else { "failed" };
        println!("{triple}: {outcome}, {:.0} s", begin.elapsed().as_secs_f64());
        if !status.success() {
            failed.push(*triple);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("{} failed", failed.join(", "))) }
}

/// Checks and lints all platforms. Returns how many.
pub fn check_all() -> Result<usize, String> {
    run(None).map(|()| TRIPLES.len())
}

/// A command of Debian's cargo for the crates and these platforms.
fn cargo(program: &str, command: &str, triples: &[&str]) -> Command {
    let mut cargo = debian_cargo(program, command);
    cargo.args(CRATES.iter().flat_map(|name| ["-p", name]));
    cargo.args(["--quiet", "-Zbuild-std=std,panic_abort"]);
    let all_have = |part: &str| triples.iter().all(|triple| triple.contains(part));
    if all_have("-linux-") || all_have("-windows-") {
        cargo.args(C_ABI);
    }
    if all_have("-linux-") {
        cargo.args(REDIRECT);
    }
    cargo.args(triples.iter().flat_map(|triple| ["--target", triple]));
    cargo
}

/// A command of Debian's cargo.
pub fn debian_cargo(program: &str, command: &str) -> Command {
    let mut cargo = Command::new(debian(program));
    cargo.args([command, "--locked"]);
    // The compiler is a stable one. The flag permits to build the standard library.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", debian("rustc"));
    cargo.env("PATH", format!("{PROGRAMS}:/bin"));
    // The cargo that started this program has set its own toolchain in the environment.
    for name in ["RUSTUP_TOOLCHAIN", "RUSTDOC", "RUSTC_WRAPPER", "LD_LIBRARY_PATH"] {
        cargo.env_remove(name);
    }
    cargo.env("CARGO", debian("cargo"));
    cargo.current_dir(root()).env("CARGO_TARGET_DIR", folder());
    cargo
}

/// The target folder of these builds.
fn folder() -> PathBuf {
    target().join("cross")
}

/// Checks that Debian's compiler is installed, and not older than the oldest one that the crates support.
fn check_version() -> Result<(), String> {
    if !is_installed() {
        return Err(format!("needs Debian's compiler: apt-get install {}", PACKAGES.join(" ")));
    }
    let mut rustc = Command::new(debian("rustc"));
    let output = rustc.arg("--version").env_remove("LD_LIBRARY_PATH").output();
    let output = output.map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split(' ').nth(1).and_then(parse_version);
    match (version, parse_version(setup::OLDEST_COMPILER)) {
        (Some(version), Some(oldest)) if version >= oldest => Ok(()),
        _ => Err(format!("{} is too old: update the packages", text.trim())),
    }
}

/// The first two numbers of a version.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(parse_version("1.96.0"), Some((1, 96)));
        assert!(parse_version("1.100") > parse_version("1.88"));
        assert_eq!(parse_version("nightly"), None);
    }
}

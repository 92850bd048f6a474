//! The external tools of the tests.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{cross, layouts, npm_packages, windows};

/// A tool that some tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Rustfmt,
    Clippy,
    /// The compiler that `rust-version` names.
    OldestCompiler,
    /// Debian's compiler with the source of its standard library, which checks other platforms.
    CrossCompiler,
    /// A C compiler for Windows, and wine.
    Wine,
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
    /// Node 24, which `mauve run` is compared with.
    Node,
    Chromium,
    /// The lists of Debian's packages, from which programs are downloaded by name.
    PackageLists,
    Deny,
    /// The toolchain whose rustdoc describes an API as data.
    Nightly,
    PublicApi,
    SemverChecks,
    Debootstrap,
    /// Servers that programs with npm's packages connect to.
    Redis,
    Postgres,
}

/// How a tool is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Apt(&'static [&'static str]),
    /// Only `apt-get update`.
    AptLists,
    Cargo(&'static str),
    /// Node 24 with npm, into the target folder.
    Node,
    Component(&'static str),
    Toolchain(&'static str),
    /// It is part of the system.
    Nowhere(&'static str),
}

/// The version of Rust that the crates support, from `rust-version`.
pub const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// How a tool is detected.
#[derive(Clone, Copy)]
enum Detect {
    /// This command succeeds.
    Runs(&'static str),
    By(fn() -> bool),
}

/// What is known about a tool.
struct Facts {
    tool: Tool,
    name: &'static str,
    /// Roughly how much space it takes when it is installed, with its dependencies, in MB.
    size: u32,
    source: Source,
    detect: Detect,
}

const fn facts(tool: Tool, name: &'static str, size: u32, source: Source, detect: Detect) -> Facts {
    Facts { tool, name, size, source, detect }
}

use Detect::{By, Runs};
use Source::{Apt, AptLists, Cargo, Component, Nowhere, Toolchain};

#[rustfmt::skip]
const FACTS: &[Facts] = &[
    facts(Tool::Rustfmt, "rustfmt", 15, Component("rustfmt"), Runs("cargo fmt --version")),
    facts(Tool::Clippy, "clippy", 15, Component("clippy"), Runs("cargo clippy --version")),
    facts(Tool::OldestCompiler, "Rust of `rust-version`", 600, Toolchain(OLDEST), By(has_oldest)),
    facts(Tool::CrossCompiler, "Debian's Rust compiler", 700, Apt(cross::PACKAGES), By(cross::is_installed)),
    facts(Tool::Wine, "wine", 1100, Apt(windows::PACKAGES), By(windows::is_installed)),
    facts(Tool::ForeignC, "C compilers for other platforms", 300, Apt(layouts::PACKAGES), By(layouts::is_installed)),
    facts(Tool::C, "a C compiler", 100, Apt(&["gcc", "libc6-dev"]), By(has_c)),
    facts(Tool::CPlusPlus, "a C++ compiler", 55, Apt(&["g++"]), Runs("c++ --version")),
    facts(Tool::Make, "make", 3, Apt(&["make"]), Runs("make --version")),
    facts(Tool::PkgConfig, "pkg-config", 3, Apt(&["pkg-config"]), Runs("pkg-config --version")),
    facts(Tool::CMake, "CMake", 85, Apt(&["cmake"]), Runs("cmake --version")),
    facts(Tool::Dpkg, "dpkg", 0, Nowhere("it is part of Debian"), By(|| has("dpkg-deb") && has("apt-get"))),
    facts(Tool::Lintian, "lintian", 60, Apt(&["lintian"]), Runs("lintian --version")),
    facts(Tool::Libuv, "libuv's header and library", 3, Apt(&["libuv1-dev"]), By(has_libuv)),
    facts(Tool::Valgrind, "valgrind", 90, Apt(&["valgrind"]), Runs("valgrind --version")),
    facts(Tool::Strace, "strace", 3, Apt(&["strace"]), Runs("strace --version")),
    facts(Tool::Npm, "npm", 12, Source::Node, Runs("npm --version")),
    facts(Tool::Node, "Node 24", 125, Source::Node, By(is_node_24)),
    facts(Tool::Chromium, "Chromium", 400, Apt(&["chromium"]), Runs("chromium --version")),
    facts(Tool::PackageLists, "lists of Debian's packages", 30, AptLists, Runs("apt-cache show neovim")),
    facts(Tool::Deny, "cargo-deny", 80, Cargo("cargo-deny"), Runs("cargo deny --version")),
    facts(Tool::Nightly, "nightly Rust", 600, Toolchain("nightly"), By(|| has_toolchain("nightly"))),
    facts(Tool::PublicApi, "cargo-public-api", 20, Cargo("cargo-public-api"), Runs("cargo public-api --version")),
    facts(Tool::SemverChecks, "cargo-semver-checks", 50, Cargo("cargo-semver-checks"), Runs("cargo semver-checks --version")),
    facts(Tool::Debootstrap, "debootstrap", 3, Apt(&["debootstrap"]), Runs("debootstrap --version")),
    facts(Tool::Redis, "Redis", 6, Apt(&["redis-server"]), Runs("redis-server --version")),
    facts(Tool::Postgres, "PostgreSQL", 65, Apt(&["postgresql"]), By(|| npm_packages::postgres_programs().is_some())),
];

impl Tool {
    pub fn all() -> impl Iterator<Item = Self> {
        FACTS.iter().map(|facts| facts.tool)
    }

    fn facts(self) -> &'static Facts {
        FACTS.iter().find(|facts| facts.tool == self).expect("a row for each tool")
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn source(self) -> Source {
        self.facts().source
    }

    pub fn size(self) -> u32 {
        self.facts().size
    }

    pub fn is_available(self) -> bool {
        match self.facts().detect {
            Runs(command) => runs(command),
            By(check) => check(),
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

    /// The command that installs the tool, for people.
    pub fn command(self) -> String {
        match self.source() {
            Source::Apt(packages) => format!("apt-get install {}", packages.join(" ")),
            Source::AptLists => "apt-get update".to_owned(),
            Source::Cargo(name) => format!("cargo install {name} --locked"),
            Source::Node => "sh xtask/setup/node.sh target/tools".to_owned(),
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
    let folder = super::folder().join("bin");
    if folder.exists() { vec![folder] } else { Vec::new() }
}

/// The corpus of scripts is compared with this version.
fn is_node_24() -> bool {
    let version = command("node").arg("--version").stderr(Stdio::null()).output();
    version.is_ok_and(|output| output.stdout.starts_with(b"v24."))
}

fn has_oldest() -> bool {
    has_toolchain(OLDEST)
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
    runs(&format!("{tool} --version"))
}

fn runs(command_line: &str) -> bool {
    let mut words = command_line.split(' ');
    succeeds(command(words.next().expect("a program")).args(words))
}

fn has_c() -> bool {
    compiles("int main(void) { return 0; }", &[])
}

fn has_libuv() -> bool {
    compiles("#include <uv.h>\nint main(void) { return uv_version() == 0; }", &["-luv"])
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

pub fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_name_and_a_command_of_its_own() {
        for (at, tool) in Tool::all().enumerate() {
            assert!(!tool.command().is_empty(), "{}", tool.name());
            assert!(Tool::all().skip(at + 1).all(|other| other.name() != tool.name()), "{tool:?}");
        }
    }

    #[test]
    fn a_program_that_does_not_exist_is_not_available() {
        assert!(!has("no-such-tool-of-mauve"));
        assert!(!has_toolchain("0.1"));
    }
}

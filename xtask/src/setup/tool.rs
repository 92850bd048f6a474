//! The external tools of the tests.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{cross, layouts, lint, npm_packages, windows};

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
    /// Node 24, which `mauve run` is compared with, and npm.
    Node,
    /// The linter for JavaScript.
    Biome,
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
    /// A script, into the target folder.
    Node,
    /// The packages of `package.json`.
    Packages,
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
    /// How much space it takes at most, in MB: what apt-get reports on a minimal Debian 12 or 13 that has the ordinary
    /// tools above it, or what is in its folder.
    size: u32,
    source: Source,
    detect: Detect,
}

const fn facts(tool: Tool, name: &'static str, size: u32, source: Source, detect: Detect) -> Facts {
    Facts { tool, name, size, source, detect }
}

use Detect::{By, Runs};
use Source::{Apt, AptLists, Cargo, Component, Nowhere, Packages, Toolchain};

#[rustfmt::skip]
const FACTS: &[Facts] = &[
    // An ordinary run installs from the top, up to its limit.
    facts(Tool::C, "a C compiler", 217, Apt(&["gcc", "libc6-dev"]), By(has_c)),
    facts(Tool::PackageLists, "lists of Debian's packages", 92, AptLists, Runs("apt-cache show neovim")),
    facts(Tool::Make, "make", 2, Apt(&["make"]), Runs("make --version")),
    facts(Tool::PkgConfig, "pkg-config", 1, Apt(&["pkg-config"]), Runs("pkg-config --version")),
    facts(Tool::Libuv, "libuv's header and library", 1, Apt(&["libuv1-dev"]), By(has_libuv)),
    facts(Tool::Strace, "strace", 4, Apt(&["strace"]), Runs("strace --version")),
    facts(Tool::Dpkg, "dpkg", 0, Nowhere("it is part of Debian"), By(|| has("dpkg-deb") && has("apt-get"))),
    facts(Tool::Node, "Node 24 with npm", 125, Source::Node, By(has_node_24)),
    facts(Tool::Rustfmt, "rustfmt", 10, Component("rustfmt"), Runs("cargo fmt --version")),
    facts(Tool::Clippy, "clippy", 22, Component("clippy"), Runs("cargo clippy --version")),
    facts(Tool::CPlusPlus, "a C++ compiler", 60, Apt(&["g++"]), Runs("c++ --version")),
    facts(Tool::Valgrind, "valgrind", 103, Apt(&["valgrind"]), Runs("valgrind --version")),
    facts(Tool::Biome, "Biome, the linter for JavaScript", 112, Packages, By(lint::is_available)),
    facts(Tool::CMake, "CMake", 88, Apt(&["cmake"]), Runs("cmake --version")),
    // The release checks alone use these.
    facts(Tool::Debootstrap, "debootstrap", 5, Apt(&["debootstrap"]), Runs("debootstrap --version")),
    facts(Tool::Redis, "Redis", 9, Apt(&["redis-server"]), Runs("redis-server --version")),
    facts(Tool::PublicApi, "cargo-public-api", 20, Cargo("cargo-public-api"), Runs("cargo public-api --version")),
    facts(Tool::SemverChecks, "cargo-semver-checks", 50, Cargo("cargo-semver-checks"), Runs("cargo semver-checks --version")),
    facts(Tool::Deny, "cargo-deny", 80, Cargo("cargo-deny"), Runs("cargo deny --version")),
    facts(Tool::Lintian, "lintian", 156, Apt(&["lintian"]), Runs("lintian --version")),
    facts(Tool::Postgres, "PostgreSQL", 345, Apt(&["postgresql"]), By(|| npm_packages::postgres_programs().is_some())),
    facts(Tool::ForeignC, "C compilers for other platforms", 459, Apt(layouts::PACKAGES), By(layouts::is_installed)),
    facts(Tool::OldestCompiler, "Rust of `rust-version`", 430, Toolchain(OLDEST), By(has_oldest)),
    facts(Tool::Nightly, "nightly Rust", 450, Toolchain("nightly"), By(|| has_toolchain("nightly"))),
    facts(Tool::Chromium, "Chromium", 739, Apt(&["chromium"]), Runs("chromium --version")),
    facts(Tool::CrossCompiler, "Debian's Rust compiler", 855, Apt(cross::PACKAGES), By(cross::is_installed)),
    facts(Tool::Wine, "wine", 1414, Apt(windows::PACKAGES), By(windows::is_installed)),
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
        let with_pip = self == Self::Node && !can_download_node();
        self.facts().size + if with_pip { PIP_SIZE } else { 0 }
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
            Self::CPlusPlus => &["needs_cplusplus::"],
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
            Source::Packages => "npm ci --ignore-scripts".to_owned(),
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
fn has_node_24() -> bool {
    let version = command("node").arg("--version").stderr(Stdio::null()).output();
    version.is_ok_and(|output| output.stdout.starts_with(b"v24.")) && has("npm")
}

/// Debian's pip, with Python.
pub const PIP: &str = "python3-pip";
const PIP_SIZE: u32 = 39;

/// Whether there is an npm or a pip, either of which downloads Node.
pub fn can_download_node() -> bool {
    has("npm") || runs("python3 -m pip --version")
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

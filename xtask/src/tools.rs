//! The external tools that the tests need, and the commands that install them.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// The name of a tool, a function that detects it, and the command that installs it.
type Tool = (&'static str, fn() -> bool, &'static str);

/// Checks that all tools are installed. The error names all missing ones.
pub fn check() -> Result<(), String> {
    let tools: &[Tool] = &[
        ("a C compiler", has_compiler, "apt-get install gcc libc6-dev"),
        ("a C++ compiler", || has("c++"), "apt-get install g++"),
        (
            "nm, readelf and strip",
            || ["nm", "readelf", "strip"].iter().all(|tool| has(tool)),
            "apt-get install binutils",
        ),
        ("pkg-config", || has("pkg-config"), "apt-get install pkg-config"),
        ("CMake", || has("cmake"), "apt-get install cmake"),
        ("dpkg-deb", || has("dpkg-deb"), "a Debian system"),
        ("libuv's header and library", has_libuv, "apt-get install libuv1-dev"),
        ("valgrind", || has("valgrind"), "apt-get install valgrind"),
        ("cargo-deny", has_deny, "cargo install cargo-deny --locked"),
    ];
    let mut missing = String::new();
    for (name, is_installed, install) in tools {
        if is_installed() {
            println!("{name}: found");
        } else {
            missing += &format!("\n  {name}: `{install}`");
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("missing:{missing}")) }
}

fn has_compiler() -> bool {
    compiles("int main(void) { return 0; }", &[])
}

fn has_libuv() -> bool {
    let program = "#include <uv.h>\nint main(void) { return uv_version() == 0; }";
    compiles(program, &["-luv"])
}

fn has(tool: &str) -> bool {
    succeeds(Command::new(tool).arg("--version"))
}

fn has_deny() -> bool {
    succeeds(Command::new("cargo").args(["deny", "--version"]))
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

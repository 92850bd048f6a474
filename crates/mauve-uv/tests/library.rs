//! The files `libuv.so` and `libuv.a`: exported symbols, loading, unloading and static linking.

#[allow(dead_code)] // Uses only a part of the facts and of the harness.
mod facts;
#[allow(dead_code)]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{include, library, scratch};

/// Compiles a program of `tests/programs` with our header, and returns its path.
fn compile(name: &str, flags: &[&str]) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let program = scratch("linking").join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]);
    compiler.arg("-I").arg(include()).arg(directory.join(name).with_extension("c"));
    run(compiler.arg("-o").arg(&program).args(flags));
    program
}

/// Runs a command, which must succeed, and returns its output.
fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("a command");
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {status}\n{errors}");
    String::from_utf8_lossy(&stdout).into_owned()
}

fn shared() -> PathBuf {
    library::ours().join("libuv.so")
}

#[test]
fn it_exports_the_functions_of_libuv_and_nothing_else() {
    let listed = run(Command::new("nm").args(["-D", "--defined-only"]).arg(shared()));
    let exported: BTreeSet<&str> =
        listed.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    let facts = facts::load("functions.json");
    let functions = facts["functions"].as_array().expect("a list");
    let wanted: BTreeSet<&str> =
        functions.iter().map(|function| function["name"].as_str().expect("a name")).collect();
    assert_eq!(wanted.len(), 319);
    let missing: Vec<_> = wanted.difference(&exported).collect();
    let more: Vec<_> = exported.difference(&wanted).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing: {missing:?}, too many: {more:?}");
    assert!(listed.lines().all(|line| line.contains(" T ")), "not all are functions:\n{listed}");
}

#[test]
fn its_soname_is_that_of_libuv() {
    let listed = run(Command::new("readelf").arg("-d").arg(shared()));
    assert!(listed.contains("Library soname: [libuv.so.1]"), "{listed}");
}

#[test]
fn it_needs_nothing_but_the_c_library() {
    let listed = run(Command::new("readelf").arg("-d").arg(shared()));
    let needed = listed.lines().filter(|line| line.contains("(NEEDED)"));
    let needed: Vec<&str> = needed.filter_map(|line| line.split(['[', ']']).nth(1)).collect();
    let known = ["libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"];
    assert!(needed.iter().all(|name| known.contains(name)), "{needed:?}");
}

#[test]
fn unloading_leaves_no_thread_descriptor_or_signal_handler() {
    let program = compile("reload", &["-ldl"]);
    // The C library may keep it in memory: thread-local destructors of it may still be registered.
    let output = run(Command::new(program).arg(shared()));
    assert!(["unloaded", "stays"].contains(&output.trim()), "{output}");
}

#[test]
fn programs_can_be_linked_with_the_archive() {
    let archive = shared().canonicalize().expect("the library").with_file_name("libuv.a");
    let archive = archive.to_str().expect("a path in UTF-8");
    let program = compile("echo", &[archive, "-ldl", "-lm"]);
    assert_eq!(run(&mut Command::new(&program)), "1.53.0: work, hello over tcp, timer\n");
    let listed = run(Command::new("readelf").arg("-d").arg(&program));
    assert!(!listed.contains("libuv"), "it needs the shared library:\n{listed}");
}

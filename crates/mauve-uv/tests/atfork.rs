//! `uv_spawn` called by a library that has registered `pthread_atfork` handlers: the child is
//! created with `fork`, so that the handlers run. Errors are reported as usual.

#[allow(dead_code)] // Uses only a part of the harness.
mod support;

use std::path::Path;
use std::process::Command;

use support::{include, library, scratch};

fn compile(arguments: &[&str], source: &str, output: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/atfork").join(source);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]);
    compiler.arg("-I").arg(include()).arg(source).arg("-o").arg(output).args(arguments);
    compiler.arg("-L").arg(library::ours()).arg("-luv");
    let result = compiler.output().expect("cc");
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
}

#[test]
fn atfork_handlers_run_and_spawn_reports_errors() {
    run_with(&["-shared", "-fPIC"], "atfork");
}

#[test]
fn atfork_handlers_of_a_library_with_libuv_linked_in_run() {
    run_with(&["-shared", "-fPIC", "-DLINKED_IN", "-ldl"], "atfork-linked-in");
}

fn run_with(library_flags: &[&str], name: &str) {
    let directory = scratch(name);
    let path = directory.to_str().expect("a path in UTF-8");
    compile(library_flags, "library.c", &directory.join("libhooked.so"));
    compile(&["-L", path, "-lhooked"], "program.c", &directory.join("program"));
    let search = format!("{path}:{}", library::ours().display());
    let output = Command::new(directory.join("program"))
        .env("LD_LIBRARY_PATH", search)
        .env_remove("HANDLER")
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "handler in the child: ran\n\
         child: status 0, signal 0\n\
         spawn: 0\n\
         handlers: 1 before, 1 after\n\
         missing program: ENOENT\n\
         handlers: 2 before, 2 after\n"
    );
}

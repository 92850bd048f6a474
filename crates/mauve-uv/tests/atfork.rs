//! A library that has libuv start its children and has registered handlers with `pthread_atfork`:
//! for its sake a child is forked, the handlers run, and everything else stays as it is.

#[allow(dead_code)] // The harness of the differential tests can do more than is needed here.
mod support;

use std::path::Path;
use std::process::Command;

use support::{library, scratch};

fn compile(arguments: &[&str], source: &str, output: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/atfork").join(source);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]);
    compiler.arg(source).arg("-o").arg(output).args(arguments).arg("-luv");
    let made = compiler.output().expect("cc");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn fork_handlers_of_a_library_run_and_errors_still_come_back_from_spawn() {
    let folder = scratch("atfork");
    let place = folder.to_str().expect("a path of our own");
    compile(&["-shared", "-fPIC"], "hooked.c", &folder.join("libhooked.so"));
    compile(&["-L", place, "-lhooked"], "program.c", &folder.join("program"));
    let search = format!("{place}:{}", library::ours().display());
    let output = Command::new(folder.join("program"))
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

//! `mauve with`: the programs that it runs, the library that it reports, and its errors.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// mauve's library, which cargo builds beside these tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    test.with_file_name("libuv.so")
}

/// Compiles a program of `tests/programs`.
fn compile(name: &str, folder: &Path, flags: &[&str]) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let program = folder.join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-Wall", "-Wextra", "-Werror"]).arg(sources.join(name).with_extension("c"));
    let output = compiler.arg("-o").arg(&program).args(flags).output().expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn mauve_with(program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.arg("with").arg(program).args(arguments);
    command.env("MAUVE_LIB", library()).env_remove("LD_LIBRARY_PATH").env_remove("LD_PRELOAD");
    command
}

struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Outcome {
    let Output { status, stdout, stderr } = command.output().expect("mauve");
    let text = |bytes| String::from_utf8_lossy(bytes).trim().to_owned();
    Outcome { code: status.code(), stdout: text(&stdout), stderr: text(&stderr) }
}

/// Asserts that the program ran on mauve, and that the message says so.
fn assert_runs_on_ours(outcome: &Outcome, stdout: &str) {
    assert_eq!(outcome.stdout, stdout, "stderr: {}", outcome.stderr);
    assert!(
        outcome.stderr.contains(" runs on ") && outcome.stderr.contains("1.53.0-mauve"),
        "{}",
        outcome.stderr
    );
}

/// The path of the system's libuv.
fn system_libuv() -> PathBuf {
    let program = compile("version", &scratch("debians"), &["-luv"]);
    let listed = run(Command::new("ldd").arg(program).env_remove("LD_LIBRARY_PATH")).stdout;
    let line = listed.lines().find(|line| line.contains("libuv.so.1 => ")).expect("libuv");
    line.split_whitespace().nth(2).expect("a path").into()
}

fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a script");
    let mut permissions = std::fs::metadata(path).expect("a script").permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(path, permissions).expect("permissions");
}

#[test]
fn a_program_that_contains_mauve_runs_as_it_is() {
    let archive = library().with_file_name("libuv.a");
    let archive = archive.to_str().expect("UTF-8");
    let program = compile("version", &scratch("static"), &[archive, "-pthread", "-ldl", "-lm"]);
    let outcome = run(&mut mauve_with(&program, &[]));
    assert!(outcome.stderr.contains(" contains mauve"), "{}", outcome.stderr);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(0), "1.53.0"));
}

#[test]
fn the_command_alone_carries_its_library() {
    let folder = scratch("alone");
    let command = folder.join("mauve");
    std::fs::copy(env!("CARGO_BIN_EXE_mauve"), &command).expect("a copy of the command");
    let program = compile("dlopen", &folder, &["-ldl"]);
    let mut mauve = Command::new(&command);
    mauve.arg("with").arg(&program).env_remove("MAUVE_LIB").env_remove("LD_LIBRARY_PATH");
    let outcome = run(mauve.env("XDG_CACHE_HOME", folder.join("cache")).current_dir("/"));
    assert_eq!((outcome.code, &*outcome.stdout), (Some(0), "1.53.0"), "{}", outcome.stderr);
    let carried = folder.join("cache/mauve").join(env!("CARGO_PKG_VERSION")).join("libuv.so.1");
    assert!(outcome.stderr.contains(carried.to_str().expect("UTF-8")), "{}", outcome.stderr);
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    let mut mauve = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let outcome = run(mauve.arg("wiht").arg("node"));
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("did you mean `with`?"), "{}", outcome.stderr);
}

#[test]
fn a_program_that_loads_libuv_later_loads_mauve() {
    let program = compile("dlopen", &scratch("dlopen"), &["-ldl"]);
    let outcome = run(&mut mauve_with(&program, &[]));
    assert_eq!((outcome.code, &*outcome.stdout), (Some(0), "1.53.0"));
    assert!(outcome.stderr.contains("is not linked with libuv"), "{}", outcome.stderr);
}

#[test]
fn a_script_that_is_its_own_interpreter_is_an_error() {
    let folder = scratch("circle");
    let script = folder.join("script");
    write_script(&script, &format!("#!{}\n", script.display()));
    let outcome = run(&mut mauve_with(&script, &[]));
    assert_eq!(outcome.code, Some(126), "{}", outcome.stderr);
}

#[test]
fn a_file_that_is_not_a_program_is_an_error() {
    let missing = run(&mut mauve_with(Path::new("no-such-program"), &[]));
    assert_eq!(missing.code, Some(127));
    let file = scratch("file").join("file");
    std::fs::write(&file, "text").expect("a file");
    assert_eq!(run(&mut mauve_with(&file, &[])).code, Some(126));
    write_script(&file, "neither a script nor a program");
    let outcome = run(&mut mauve_with(&file, &[]));
    assert!(outcome.stderr.contains("is not a 64-bit ELF file"), "{}", outcome.stderr);
    assert_eq!(outcome.code, Some(126));
}

/// Programs that are linked with libuv. `cargo xtask test` skips this module where there is none.
mod needs_libuv {
    use super::*;

    #[test]
    fn a_program_runs_on_mauve_with_its_arguments_and_exit_code() {
        let program = compile("version", &scratch("plain"), &["-luv"]);
        let outcome = run(&mut mauve_with(&program, &["7", "--help", "-q"]));
        assert_runs_on_ours(&outcome, "1.53.0 7 --help -q");
        assert_eq!(outcome.code, Some(7));
        // Without `mauve with` it runs on another libuv.
        assert!(
            !run(Command::new(&program).env_remove("LD_LIBRARY_PATH")).stdout.contains("1.53.0")
        );
    }

    #[test]
    fn the_option_quiet_suppresses_the_message() {
        let program = compile("version", &scratch("quiet"), &["-luv"]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
        let outcome = run(command.args(["with", "-q", "--library"]).arg(library()).arg(program));
        assert_eq!((&*outcome.stdout, &*outcome.stderr), ("1.53.0", ""));
    }

    #[test]
    fn the_value_of_ld_library_path_is_kept() {
        let program = compile("version", &scratch("path"), &["-luv"]);
        let script = scratch("path-script").join("script");
        write_script(&script, "#!/bin/sh\necho \"$LD_LIBRARY_PATH\"\n");
        let outcome = run(mauve_with(&script, &[]).env("LD_LIBRARY_PATH", "/opt/other"));
        assert!(outcome.stdout.ends_with(":/opt/other"), "{}", outcome.stdout);
        assert_runs_on_ours(
            &run(mauve_with(&program, &[]).env("LD_LIBRARY_PATH", "/opt/other")),
            "1.53.0",
        );
    }

    #[test]
    fn a_program_with_an_rpath_runs_on_mauve() {
        let folder = scratch("rpath");
        symlink(system_libuv(), folder.join("libuv.so.1")).expect("a link");
        let path = format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display());
        let program = compile("version", &folder, &["-luv", &path]);
        // LD_LIBRARY_PATH alone has no effect on this program.
        let folder = scratch("rpath-ours");
        symlink(library(), folder.join("libuv.so.1")).expect("a link");
        let other = run(Command::new(&program).env("LD_LIBRARY_PATH", folder));
        assert!(!other.stdout.contains("1.53.0"), "{}", other.stdout);
        assert_runs_on_ours(&run(&mut mauve_with(&program, &[])), "1.53.0");
    }

    #[test]
    fn a_script_runs_with_its_interpreter_on_mauve() {
        let folder = scratch("script");
        let program = compile("version", &folder, &["-luv"]);
        let script = folder.join("script");
        write_script(&script, &format!("#!/usr/bin/env sh\nexec {} \"$@\"\n", program.display()));
        let outcome = run(&mut mauve_with(&script, &["3"]));
        assert_eq!((outcome.code, &*outcome.stdout), (Some(3), "1.53.0 3"));
        assert!(outcome.stderr.contains("sh, which runs "), "{}", outcome.stderr);
        // The interpreter is checked, not the script.
        let other = folder.join("other");
        write_script(&other, &format!("#!{} 4\n", program.display()));
        let outcome = run(&mut mauve_with(&other, &[]));
        assert_eq!(outcome.code, Some(4));
        assert_runs_on_ours(&outcome, &format!("1.53.0 4 {}", other.display()));
    }

    #[test]
    fn a_setuid_program_is_an_error() {
        let program = compile("version", &scratch("setuid"), &["-luv"]);
        let mut permissions = std::fs::metadata(&program).expect("a program").permissions();
        permissions.set_mode(0o4755);
        std::fs::set_permissions(&program, permissions).expect("permissions");
        let outcome = run(&mut mauve_with(&program, &[]));
        assert!(outcome.stderr.contains("is setuid or setgid"), "{}", outcome.stderr);
        assert_eq!(outcome.code, Some(125));
    }

    #[test]
    fn another_libuv_is_an_error() {
        let program = compile("version", &scratch("not-ours"), &["-luv"]);
        let outcome = run(mauve_with(&program, &[]).env("MAUVE_LIB", system_libuv()));
        assert!(outcome.stderr.contains("is not mauve's library"), "{}", outcome.stderr);
        assert_eq!(outcome.code, Some(125));
        let outcome = run(mauve_with(&program, &[]).env("MAUVE_LIB", "/no/such/libuv.so"));
        assert!(outcome.stderr.contains("/no/such/libuv.so: No such file"), "{}", outcome.stderr);
    }
}

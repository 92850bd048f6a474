//! `mauve with`: what it runs, what it says about it, and what it refuses.

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

/// Our library. Cargo builds it for these tests, and puts it beside them.
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

struct Said {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("mauve");
    let text = |bytes| String::from_utf8_lossy(bytes).trim().to_owned();
    Said { code: status.code(), stdout: text(&stdout), stderr: text(&stderr) }
}

/// Says what it runs on, and that is true.
fn assert_runs_on_ours(said: &Said, stdout: &str) {
    assert_eq!(said.stdout, stdout, "stderr: {}", said.stderr);
    assert!(
        said.stderr.contains(" runs on ") && said.stderr.contains("1.52.2-mauve"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_program_runs_on_our_library_with_its_arguments_and_its_exit_code() {
    let program = compile("version", &scratch("plain"), &["-luv"]);
    let said = run(&mut mauve_with(&program, &["7", "--help", "-q"]));
    assert_runs_on_ours(&said, "1.52.2-mauve 7 --help -q");
    assert_eq!(said.code, Some(7));
    // It would have run on another one.
    assert!(!run(Command::new(&program).env_remove("LD_LIBRARY_PATH")).stdout.contains("mauve"));
}

#[test]
fn it_says_nothing_if_told_so() {
    let program = compile("version", &scratch("quiet"), &["-luv"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let said = run(command.args(["with", "-q", "--library"]).arg(library()).arg(program));
    assert_eq!((&*said.stdout, &*said.stderr), ("1.52.2-mauve", ""));
}

#[test]
fn the_environments_path_of_libraries_is_kept() {
    let program = compile("version", &scratch("path"), &["-luv"]);
    let script = scratch("path-script").join("script");
    write_script(&script, "#!/bin/sh\necho \"$LD_LIBRARY_PATH\"\n");
    let said = run(mauve_with(&script, &[]).env("LD_LIBRARY_PATH", "/opt/other"));
    assert!(said.stdout.ends_with(":/opt/other"), "{}", said.stdout);
    assert_runs_on_ours(
        &run(mauve_with(&program, &[]).env("LD_LIBRARY_PATH", "/opt/other")),
        "1.52.2-mauve",
    );
}

#[test]
fn a_program_with_a_path_of_its_own_runs_on_our_library_too() {
    let folder = scratch("rpath");
    symlink(debians(), folder.join("libuv.so.1")).expect("a link");
    let path = format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display());
    let program = compile("version", &folder, &["-luv", &path]);
    // The way that works for others does not for this one.
    let folder = scratch("rpath-ours");
    symlink(library(), folder.join("libuv.so.1")).expect("a link");
    let other = run(Command::new(&program).env("LD_LIBRARY_PATH", folder));
    assert!(!other.stdout.contains("mauve"), "{}", other.stdout);
    assert_runs_on_ours(&run(&mut mauve_with(&program, &[])), "1.52.2-mauve");
}

/// The libuv that the system has, as its loader finds it.
fn debians() -> PathBuf {
    let program = compile("version", &scratch("debians"), &["-luv"]);
    let listed = run(Command::new("ldd").arg(program).env_remove("LD_LIBRARY_PATH")).stdout;
    let line = listed.lines().find(|line| line.contains("libuv.so.1 => ")).expect("libuv");
    line.split_whitespace().nth(2).expect("a path").into()
}

#[test]
fn a_program_with_libuv_built_in_is_not_run() {
    let archive = library().with_file_name("libuv.a");
    let archive = archive.to_str().expect("UTF-8");
    let program = compile("version", &scratch("static"), &[archive, "-pthread", "-ldl", "-lm"]);
    let said = run(&mut mauve_with(&program, &[]));
    assert!(said.stderr.contains("has libuv built in"), "{}", said.stderr);
    assert_eq!((said.code, &*said.stdout), (Some(125), ""));
}

#[test]
fn a_program_whose_library_has_libuv_built_in_is_not_run() {
    let folder = scratch("own");
    compile(
        "own",
        &folder,
        &["-shared", "-fPIC", "-o", &format!("{}/libown.so", folder.display())],
    );
    let (search, path) =
        (format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display()));
    let program = compile("uses_own", &folder, &[&search, &path, "-lown"]);
    let said = run(&mut mauve_with(&program, &[]));
    assert!(
        said.stderr.contains("libown.so, which ") && said.stderr.contains("built in"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(125));
}

#[test]
fn a_program_without_libuv_runs_and_what_it_loads_later_is_ours() {
    let program = compile("late", &scratch("late"), &["-ldl"]);
    let said = run(&mut mauve_with(&program, &[]));
    assert_eq!((said.code, &*said.stdout), (Some(0), "1.52.2-mauve"));
    assert!(said.stderr.contains("does not need libuv"), "{}", said.stderr);
}

fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a script");
    let mut permissions = std::fs::metadata(path).expect("a script").permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(path, permissions).expect("permissions");
}

#[test]
fn a_script_is_run_by_what_its_first_line_says() {
    let folder = scratch("script");
    let program = compile("version", &folder, &["-luv"]);
    let script = folder.join("script");
    write_script(&script, &format!("#!/usr/bin/env sh\nexec {} \"$@\"\n", program.display()));
    let said = run(&mut mauve_with(&script, &["3"]));
    assert_eq!((said.code, &*said.stdout), (Some(3), "1.52.2-mauve 3"));
    assert!(said.stderr.contains("sh, which runs "), "{}", said.stderr);
    // A program that is a script's interpreter is looked at itself.
    let other = folder.join("other");
    write_script(&other, &format!("#!{} 4\n", program.display()));
    let said = run(&mut mauve_with(&other, &[]));
    assert_eq!(said.code, Some(4));
    assert_runs_on_ours(&said, &format!("1.52.2-mauve 4 {}", other.display()));
}

#[test]
fn scripts_that_run_each_other_are_given_up() {
    let folder = scratch("circle");
    let script = folder.join("script");
    write_script(&script, &format!("#!{}\n", script.display()));
    let said = run(&mut mauve_with(&script, &[]));
    assert_eq!(said.code, Some(126), "{}", said.stderr);
}

#[test]
fn what_is_no_program_is_not_run() {
    let missing = run(&mut mauve_with(Path::new("no-such-program-of-anybody"), &[]));
    assert_eq!(missing.code, Some(127));
    let file = scratch("file").join("file");
    std::fs::write(&file, "text").expect("a file");
    assert_eq!(run(&mut mauve_with(&file, &[])).code, Some(126));
    write_script(&file, "neither a script nor a program");
    let said = run(&mut mauve_with(&file, &[]));
    assert!(said.stderr.contains("is no program for this machine"), "{}", said.stderr);
    assert_eq!(said.code, Some(126));
}

#[test]
fn a_program_that_runs_as_another_user_is_not_run() {
    let program = compile("version", &scratch("setuid"), &["-luv"]);
    let mut permissions = std::fs::metadata(&program).expect("a program").permissions();
    permissions.set_mode(0o4755);
    std::fs::set_permissions(&program, permissions).expect("permissions");
    let said = run(&mut mauve_with(&program, &[]));
    assert!(said.stderr.contains("runs as another user"), "{}", said.stderr);
    assert_eq!(said.code, Some(125));
}

#[test]
fn a_library_that_is_not_ours_is_not_taken_for_ours() {
    let program = compile("version", &scratch("not-ours"), &["-luv"]);
    let said = run(mauve_with(&program, &[]).env("MAUVE_LIB", debians()));
    assert!(said.stderr.contains("is not mauve's library"), "{}", said.stderr);
    assert_eq!(said.code, Some(125));
    let said = run(mauve_with(&program, &[]).env("MAUVE_LIB", "/no/such/libuv.so"));
    assert!(said.stderr.contains("/no/such/libuv.so: No such file"), "{}", said.stderr);
}

#[test]
fn the_library_is_found_in_the_prefix_that_the_command_is_installed_in() {
    let prefix = scratch("prefix");
    for folder in ["bin", "lib"] {
        std::fs::create_dir(prefix.join(folder)).expect("a folder");
    }
    let command = prefix.join("bin/mauve");
    std::fs::copy(env!("CARGO_BIN_EXE_mauve"), &command).expect("a copy of the command");
    let program = compile("version", &prefix, &["-luv"]);
    let mauve = || {
        let mut mauve = Command::new(&command);
        mauve.arg("with").arg(&program).env_remove("MAUVE_LIB").env_remove("LD_LIBRARY_PATH");
        mauve
    };
    let said = run(&mut mauve());
    assert!(said.stderr.contains("there is no libuv.so.1 of mauve's in "), "{}", said.stderr);
    std::fs::copy(library(), prefix.join("lib/libuv.so.1")).expect("a copy of the library");
    let said = run(&mut mauve());
    assert_runs_on_ours(&said, "1.52.2-mauve");
    assert!(said.stderr.contains(prefix.join("lib/libuv.so.1").to_str().expect("UTF-8")));
}

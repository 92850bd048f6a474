//! What cannot be traced, and a full disk.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output};

use crate::{command, mauve, output_file, program, text};

#[test]
fn what_cannot_be_traced_is_refused_in_one_line() {
    let cases: [(&[&str], i32, &str); 5] = [
        (&["trace", "/no/such/program"], 127, "not found"),
        (&["trace", "/bin/true"], 1, "no loop was traced"),
        (&["trace", "-o", "x.txt", "/bin/true"], 1, ".html or .json"),
        (&["trace", "-o", "/no/such/folder/x.html", "/bin/true"], 1, "no directory"),
        (&["trace", "--pid", "4194303", "--for", "1s"], 1, "there is no process"),
    ];
    for (arguments, code, message) in cases {
        let output = mauve(arguments);
        let error = text(&output.stderr);
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let own = std::process::id().to_string();
    let output = mauve(&["trace", "--pid", &own, "--for", "1s"]);
    assert!(text(&output.stderr).contains("does not use mauve"), "{}", text(&output.stderr));
}

#[test]
fn a_process_of_another_user_is_refused_in_one_line() {
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let pid = if is_root { std::process::id() } else { 1 };
    let mut command = command(&["trace", "--pid", &pid.to_string(), "--for", "1s"]);
    if is_root {
        command.uid(65_534);
    }
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            println!("skipped: another user cannot run the command");
            return;
        }
        output => output.expect("the command runs"),
    };
    let error = text(&output.stderr);
    assert!(error.contains(&format!("cannot access process {pid}")), "{error}");
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
}

/// Traces the C program with a small file system for the records. `None` if that cannot be mounted.
fn with_small_disk(size: &str, file: &str) -> Option<Output> {
    let script = format!("mount -t tmpfs -o size={size} none /dev/shm && \"$@\"; exit $?");
    let mut shell = Command::new("unshare");
    shell.args(["--map-root-user", "--mount", "sh", "-c"]);
    let possible = clone_of(&shell).args([&script, "sh", "true"]).output();
    if !possible.is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted");
        return None;
    }
    let traced = command(&["trace", "-o", file, program().to_str().unwrap()]);
    shell.args([&script, "sh"]).arg(traced.get_program()).args(traced.get_args());
    for (name, value) in traced.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    // The directory that is used if `/dev/shm` is not available.
    Some(shell.env("TMPDIR", "/dev/shm").output().expect("the command runs"))
}

fn clone_of(command: &Command) -> Command {
    let mut clone = Command::new(command.get_program());
    clone.args(command.get_args());
    clone
}

#[test]
fn a_full_disk_ends_the_trace_and_not_the_program() {
    // Space for nothing, and for all but the rings of threads.
    for (size, reason) in [("64k", "no loop was traced"), ("1500k", "threads are not traced")] {
        let file = output_file("full");
        let Some(output) = with_small_disk(size, file.to_str().unwrap()) else { return };
        let (error, printed) = (text(&output.stderr), text(&output.stdout));
        assert_eq!(output.status.code(), Some(7), "{size}: {error}");
        assert!(printed.contains("iterations"), "the program has ended by itself: {printed}");
        assert!(error.contains("no space left on device"), "{size}: {error}");
        assert!(error.contains(reason), "{size}: {error}");
    }
}

#[test]
fn a_limit_for_files_does_not_end_the_program() {
    let file = output_file("limit");
    let program = program().to_str().unwrap();
    let arguments = ["trace", "-o", file.to_str().unwrap(), "sh", "-c"];
    let mut command = command(&arguments);
    command.arg(format!("ulimit -f 100; exec {program}"));
    let output = command.output().expect("the command runs");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{error}");
    assert!(error.contains("file too large") && error.contains("no loop was traced"), "{error}");
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = crate::scratch();
    let file = folder.join("full-device.json");
    let _ = std::fs::remove_file(&file);
    std::os::unix::fs::symlink("/dev/full", &file).expect("a link");
    let output = mauve(&["trace", "-o", file.to_str().unwrap(), program().to_str().unwrap()]);
    let error = text(&output.stderr);
    assert!(error.contains("full-device.json: No space left on device"), "{error}");
    assert_eq!(output.status.code(), Some(1), "{error}");
}

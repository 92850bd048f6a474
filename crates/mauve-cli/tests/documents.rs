//! `mauve completions` and `mauve man`: every subcommand is in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUBCOMMANDS: [&str; 11] = [
    "check",
    "completions",
    "demo",
    "licenses",
    "run",
    "sim",
    "top",
    "trace",
    "watch",
    "why",
    "with",
];

fn mauve(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mauve")).args(arguments).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// An empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn the_list_of_subcommands_is_complete() {
    let help = mauve(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let lines = commands.lines().take_while(|line| !line.is_empty());
    let mut names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    names.retain(|name| *name != "help");
    names.sort_unstable();
    assert_eq!(names, SUBCOMMANDS);
}

#[test]
fn every_shell_completes_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = mauve(&["completions", shell]);
        for name in SUBCOMMANDS {
            assert!(script.contains(name), "{shell} has no {name}");
        }
        assert!(!script.contains("Write the manual pages"), "{shell} has a hidden command");
    }
}

#[test]
fn bash_completes_the_beginning_of_a_subcommand() {
    let file = scratch("bash").join("mauve");
    std::fs::write(&file, mauve(&["completions", "bash"])).expect("a file");
    let script = "source \"$0\"; COMP_WORDS=(mauve tr); COMP_CWORD=1; \
                  _mauve mauve tr mauve; echo \"${COMPREPLY[@]}\"";
    // Without bash there is nothing to check.
    if let Ok(output) = Command::new("bash").args(["--norc", "-c", script]).arg(&file).output() {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "trace\n");
    }
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let folder = scratch("man");
    mauve(&["man", folder.to_str().expect("UTF-8")]);
    let folder = folder.join("man1");
    let pages = std::fs::read_dir(&folder).expect("the folder");
    let names = pages.map(|page| page.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let mut expected: Vec<String> =
        SUBCOMMANDS.iter().map(|name| format!("mauve-{name}.1")).collect();
    expected.push("mauve.1".to_owned());
    expected.sort_unstable();
    assert_eq!(names, expected);
    let page = std::fs::read_to_string(folder.join("mauve-run.1")).expect("a page");
    for part in [".TH ", ".SH NAME", ".SH OPTIONS", "phases", ".SH EXAMPLES", ".BR mauve (7)"] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let topics = std::fs::read_to_string(folder.join("../man7/mauve.7")).expect("the topics");
    for part in [".TH mauve 7", "VARIABLES AND FILES", "MAUVE_CHECK", "EXIT CODES", ".TP"] {
        assert!(topics.contains(part), "{part} is not in\n{topics}");
    }
}

#[test]
fn topics_and_licenses_are_printed() {
    assert!(mauve(&["help", "environment"]).contains("UV_THREADPOOL_SIZE\n"));
    assert!(mauve(&["help", "phases"]).contains("  poll\n"));
    let licenses = mauve(&["licenses"]);
    assert!(licenses.contains("QuickJS") && licenses.contains("Permission is hereby granted"));
}

#[test]
fn help_about_something_unknown_names_the_topics() {
    let output = Command::new(env!("CARGO_BIN_EXE_mauve")).args(["help", "nosuch"]).output();
    let output = output.expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("`nosuch`; the topics are environment, phases, exit"), "{errors}");
}

#[test]
fn the_demo_and_all_help_fit_into_80_columns() {
    let is_wide = |line: &&str| line.chars().count() > 80;
    assert_eq!(mauve(&["demo"]).lines().find(is_wide), None);
    for name in SUBCOMMANDS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
        let output = command.args(["help", name]).env("COLUMNS", "80").output();
        let help = String::from_utf8(output.expect("the command runs").stdout).expect("UTF-8");
        assert!(help.contains("Usage:"), "{name}: {help}");
        assert_eq!(help.lines().find(is_wide), None, "{name}");
    }
}

#[test]
fn a_reader_that_closes_its_end_early_is_no_error() {
    let script = scratch("closed_reader").join("empty.js");
    std::fs::write(&script, "").expect("a file");
    let script = script.to_str().expect("UTF-8");
    for arguments in [&["demo"][..], &["sim", "--seeds", "1", script], &["top"], &["why"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
    }
}

#[test]
fn every_page_of_a_command_has_examples() {
    for name in SUBCOMMANDS.iter().filter(|name| **name != "licenses") {
        let help = mauve(&["help", name]);
        assert!(help.contains(&format!("Examples:\n  mauve {name}")) || *name == "with", "{help}");
    }
}

#[test]
fn shells_complete_processes_that_run_on_mauve() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(mauve(&["completions", shell]).contains("mauve pids"), "{shell}");
    }
    assert!(mauve(&["completions", "zsh"]).contains("]:PID:_mauve_processes"));
    // This test has no loop, and neither does bash: `mauve` is a function that lists two processes.
    let file = scratch("processes").join("mauve");
    std::fs::write(&file, mauve(&["completions", "bash"])).expect("a file");
    let script = "source \"$0\"; mauve() { printf '12\\tnode a.js\\n345\\tnvim\\n'; }; \
                  complete_at() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); \
                  _mauve_or_process mauve \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[@]}\"; }; \
                  complete_at mauve why ''; complete_at mauve trace --pid 3; complete_at mauve top --onc";
    if let Ok(output) = Command::new("bash").args(["--norc", "-c", script]).arg(&file).output() {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "12 345\n345\n--once\n");
    }
}

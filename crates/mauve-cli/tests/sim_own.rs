//! The programs and scripts of other tests under `mauve sim`: what they print is promised by libuv or Node, so
//! that it must be the same under each seed. `sim/relies_on_order.txt` lists those that print more than that, and
//! those that take too long.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How many seeds each of them runs under: `SEEDS`, or this many.
const SEEDS: &str = "3";

/// How long a run may take. Some programs sleep in the time of the system.
const TIMEOUT: &str = "20s";

const EXCEPTIONS: &str = include_str!("sim/relies_on_order.txt");

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sim_own").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn library() -> PathBuf {
    std::env::current_exe().expect("this test").with_file_name("libuv.so")
}

/// The files with this extension in a folder, by name, without those that are listed as exceptions.
fn files(root: &str, area: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(root).join(area)).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.retain(|file| {
        let name = format!("{area}/{}", file.file_name().unwrap().to_string_lossy());
        EXCEPTIONS.lines().all(|line| line.split(' ').next() != Some(&name))
    });
    files.sort();
    assert!(!files.is_empty(), "{root}/{area} has no programs");
    files
}

/// How a program has run under seeds.
enum Outcome {
    Passes,
    /// It has no loop, or is one that fails without a seed, too.
    SaysNothing,
    /// What the command has printed.
    Fails(String),
}

/// Runs a program under seeds, with these variables.
fn run(program: &Path, variables: &[(String, String)]) -> Outcome {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| SEEDS.to_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.env("MAUVE_LIB", library()).current_dir(scratch("work"));
    command.args(["sim", "--same-output", "--log", "/dev/null", "--timeout", TIMEOUT]);
    command.args(["--seeds", &seeds]).arg(program);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let says_nothing = ["it had nothing to decide", "the program fails in libuv's order"];
    match output.status.success() {
        true => Outcome::Passes,
        false if says_nothing.iter().any(|words| text.contains(words)) => Outcome::SaysNothing,
        false => Outcome::Fails(format!("--- {}\n{text}", program.display())),
    }
}

/// A program, with its variables.
type Case = (PathBuf, Vec<(String, String)>);

/// Runs those in `areas` of which the variable `AREA` names one, or all.
fn check(areas: &[&str], cases: impl Fn(&str) -> Vec<Case>) {
    let only = std::env::var("AREA").ok();
    let wanted = areas.iter().filter(|area| only.as_ref().is_none_or(|only| only == *area));
    let (mut passed, mut failures) = (0, Vec::new());
    for (program, variables) in wanted.flat_map(|area| cases(area)) {
        match run(&program, &variables) {
            Outcome::Passes => passed += 1,
            Outcome::SaysNothing => {}
            Outcome::Fails(text) => failures.push(text),
        }
    }
    assert!(failures.is_empty(), "{} fail, {passed} pass\n{}", failures.len(), failures.concat());
    assert!(only.is_some() || passed >= 30, "{passed} pass");
}

const C: &str = "../mauve-uv/tests/c";

fn compiled(source: &Path, area: &str) -> PathBuf {
    let program = scratch(area).join(source.file_stem().unwrap());
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-g", "-D_GNU_SOURCE", "-pthread", "-I"]);
    compiler.arg(folder("../mauve-uv/include")).arg("-I").arg(folder(C));
    compiler.arg(source).arg(library()).arg("-lm").arg("-o").arg(&program);
    assert!(compiler.status().expect("cc runs").success(), "{}", source.display());
    program
}

/// The variables that the first lines of a program set.
fn variables(source: &str) -> Vec<(String, String)> {
    let lines = source.lines().take(2).filter_map(|line| line.strip_prefix("/* env:"));
    let settings = lines.flat_map(|line| line.trim_end_matches("*/").split_ascii_whitespace());
    let pairs = settings.filter_map(|setting| setting.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
#[ignore = "takes minutes: a release check"]
fn c_programs_print_the_same_under_each_seed() {
    let areas = [
        "address",
        "async",
        "dns",
        "fs",
        "handle",
        "idle_prepare_check",
        "os",
        "stream",
        "timer",
        "work",
    ];
    check(&areas, |area| {
        let sources = files(C, area, "c").into_iter().filter_map(|source| {
            let text = std::fs::read_to_string(&source).expect("a program");
            // Those that abort fail without a seed.
            let aborts = text.starts_with("/* aborts:");
            (!aborts).then(|| (compiled(&source, area), variables(&text)))
        });
        sources.collect()
    });
}

#[test]
#[ignore = "takes minutes: a release check"]
fn scripts_print_the_same_under_each_seed() {
    const SCRIPTS: &str = "tests/corpus";
    check(&["timers", "ticks", "immediates"], |area| {
        files(SCRIPTS, area, "js").into_iter().map(|script| (script, Vec::new())).collect()
    });
}

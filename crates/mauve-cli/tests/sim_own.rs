//! The programs and scripts of other tests under `mauve sim`: what they print is promised by libuv or Node, so
//! that it must be the same under each seed. `sim/relies_on_order.txt` lists those that print more than that.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How many seeds each of them runs under: `SEEDS`, or this many.
const SEEDS: &str = "5";

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

/// Runs a program under seeds. Returns what the command prints if one fails.
fn failure(program: &Path) -> Option<String> {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| SEEDS.to_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.env("MAUVE_LIB", library()).current_dir(scratch("work"));
    command.args(["sim", "--same-output", "--log", "/dev/null", "--seeds", &seeds]).arg(program);
    let output = command.output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    // A program without a loop has nothing to decide.
    let passes = output.status.success() || text.contains("it had nothing to decide");
    (!passes).then(|| format!("--- {}\n{text}", program.display()))
}

fn check(programs: &[PathBuf]) {
    let failures: Vec<_> = programs.iter().filter_map(|program| failure(program)).collect();
    assert!(
        failures.is_empty(),
        "{} of {} fail\n{}",
        failures.len(),
        programs.len(),
        failures.concat()
    );
}

const C: &str = "../mauve-uv/tests/c";

fn compiled(source: &Path, area: &str) -> PathBuf {
    let program = scratch(area).join(source.file_stem().unwrap());
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-g", "-D_GNU_SOURCE", "-pthread", "-I"]);
    compiler.arg(folder("../mauve-uv/include")).arg("-I").arg(folder(C));
    compiler.arg(source).arg(library()).arg("-o").arg(&program);
    assert!(compiler.status().expect("cc runs").success(), "{}", source.display());
    program
}

fn compiled_area(area: &str) -> Vec<PathBuf> {
    files(C, area, "c").iter().map(|source| compiled(source, area)).collect()
}

#[test]
#[ignore = "takes a minute: a release check"]
fn c_programs_print_the_same_under_each_seed() {
    let areas = ["timer", "idle_prepare_check", "async", "work"];
    check(&areas.iter().flat_map(|area| compiled_area(area)).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes a minute: a release check"]
fn scripts_print_the_same_under_each_seed() {
    let areas = ["timers", "ticks", "immediates"];
    let scripts = areas.iter().flat_map(|area| files("tests/corpus", area, "js"));
    check(&scripts.collect::<Vec<_>>());
}

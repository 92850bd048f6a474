//! `cargo xtask examples`: builds and runs the examples in C, with make and with CMake.
//!
//! They are built with mauve as it is installed, and with the system's libuv. Both must print the same
//! lines. The tests of the crates run the examples in Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::quietly;
use crate::dist::{self, Layout};
use crate::setup::{Setup, Tool};
use crate::tally::Tally;
use crate::{root, target};

/// Lines that the examples print, in this order.
const EXPECTED: &[&str] = &[
    "timers:  0 ms are over",
    "idle:    ",
    "prepare: ",
    "poll:    ",
    "check:   ",
    "close:   timer",
    "the client got back: hello",
    "15! = 1307674368000: computed on another thread, reported on the loop's thread",
    "the child says: ready",
    "the child has exited: status 0, signal 15 (SIGTERM)",
];

/// The tools that the examples are built with.
pub const TOOLS: &[Tool] = &[Tool::Make, Tool::PkgConfig, Tool::CMake, Tool::Libuv];

/// Runs the examples with the tools that are available.
pub fn run(setup: &Setup) -> Result<Tally, String> {
    let folder = target().join("examples");
    let prefix = folder.join("prefix");
    let layout = Layout { destdir: PathBuf::new(), prefix: prefix.clone(), libdir: "lib".into() };
    let built = dist::build()?;
    layout.lay_out_runtime(&built)?;
    layout.lay_out_development(&built)?;

    let ours = make(&folder.join("make"), Some(&prefix))?;
    in_order(&ours)?;
    let mut tally = Tally::passed(1);
    let needs = [Tool::Libuv, Tool::PkgConfig];
    match setup.lacks(&needs) {
        Some(why) => tally.skip(1, format!("with the system's libuv: {why}")),
        None => {
            same_lines(&make(&folder.join("make-system"), None)?, &ours)?;
            tally.passed += 1;
        }
    }
    match setup.lacks(&[Tool::CMake]) {
        Some(why) => tally.skip(1, format!("with CMake: {why}")),
        None => {
            cmake(&folder.join("cmake"), &prefix)?;
            tally.passed += 1;
        }
    }
    print!("{ours}");
    println!("{tally}");
    Ok(tally)
}

fn sources() -> PathBuf {
    root().join("examples/c")
}

/// Builds and runs all examples with make. Returns their output.
fn make(build: &Path, prefix: Option<&Path>) -> Result<String, String> {
    let mut make = Command::new("make");
    make.arg("--silent").arg("-C").arg(sources()).arg(format!("BUILD={}", build.display()));
    make.args(prefix.map(|prefix| format!("PREFIX={}", prefix.display())));
    make.args(["CFLAGS=-g -O2 -Wall -Wextra -Werror", "--always-make", "run"]);
    // The options of a make that runs this program.
    make.env_remove("MAKEFLAGS").env_remove("LD_LIBRARY_PATH").env_remove("UV_THREADPOOL_SIZE");
    quietly(&mut make)
}

/// Builds the examples with CMake, and runs them with CTest.
fn cmake(build: &Path, prefix: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(build);
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(sources()).arg("-B").arg(build);
    quietly(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?;
    quietly(Command::new("cmake").arg("--build").arg(build).env_remove("MAKEFLAGS"))?;
    let cache = std::fs::read_to_string(build.join("CMakeCache.txt"));
    let cache = cache.map_err(|e| format!("CMakeCache.txt: {e}"))?;
    if !cache.contains(&format!("libuv_DIR:PATH={}", prefix.display())) {
        return Err("CMake has not found mauve's package".to_owned());
    }
    let output = quietly(Command::new("ctest").arg("--output-on-failure").current_dir(build))?;
    match output.contains("0 tests failed out of 4") {
        true => Ok(()),
        false => Err(format!("ctest has not run all examples:\n{output}")),
    }
}

/// Checks that the output has the expected lines in their order.
fn in_order(output: &str) -> Result<(), String> {
    let mut lines = output.lines();
    for expected in EXPECTED {
        if !lines.any(|line| line.starts_with(expected)) {
            return Err(format!("{expected:?} is missing or out of order in\n{output}"));
        }
    }
    Ok(())
}

/// Checks that two outputs have the same lines. The threads of the pool decide about their order.
fn same_lines(system: &str, ours: &str) -> Result<(), String> {
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    if sorted(system) == sorted(ours) {
        return Ok(());
    }
    Err(format!("the system's libuv prints\n{system}\nand mauve prints\n{ours}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples below a folder: files, and folders with a `main.rs`.
    fn names(folder: &str, extension: &str) -> Vec<String> {
        let entries = std::fs::read_dir(root().join(folder)).expect(folder);
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let is_example = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == extension) || path.join("main.rs").exists()
        };
        let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
        paths.filter(is_example).map(stem).collect()
    }

    #[test]
    fn the_index_has_a_command_for_every_example() {
        let index = std::fs::read_to_string(root().join("examples/README.md")).expect("the index");
        let has = |command: String| {
            assert!(index.contains(&command), "examples/README.md has no `{command}`");
        };
        for package in ["mauve", "mauve-hyper", "mauve-trace"] {
            let found = names(&format!("crates/{package}/examples"), "rs");
            assert!(!found.is_empty(), "{package}");
            found.iter().for_each(|name| has(format!("-p {package} --example {name}")));
        }
        names("examples/c", "c").iter().for_each(|name| has(format!("run-{name}`")));
        names("examples", "js").iter().for_each(|name| has(format!("examples/{name}.js")));
    }

    #[test]
    fn every_example_in_c_is_built_and_says_how_to_start_it() {
        let read = |name: &str| std::fs::read_to_string(sources().join(name)).expect("a file");
        let (makefile, lists) = (read("Makefile"), read("CMakeLists.txt"));
        let listed = |text: &str, begin: &str| -> Vec<String> {
            let list = text.split_once(begin).expect("a list").1;
            let end = list.find([')', '\n']).expect("an end");
            list[..end].split_whitespace().map(str::to_owned).collect()
        };
        let mut examples = names("examples/c", "c");
        examples.sort_unstable();
        for mut list in [listed(&makefile, "EXAMPLES :="), listed(&lists, "foreach(example ")] {
            list.sort_unstable();
            assert_eq!(list, examples);
        }
        for name in examples {
            let text = read(&format!("{name}.c"));
            assert!(text.contains(&format!("make -C examples/c run-{name}")), "{name}");
            assert!(text.contains("Look at "), "{name}");
        }
    }

    #[test]
    fn a_line_out_of_order_is_found() {
        let output = EXPECTED.join("\n");
        assert_eq!(in_order(&output), Ok(()));
        let reversed: Vec<&str> = EXPECTED.iter().rev().copied().collect();
        assert!(in_order(&reversed.join("\n")).is_err());
        assert!(same_lines("a\nb", "b\na").is_ok() && same_lines("a", "b").is_err());
    }
}

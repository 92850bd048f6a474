//! The errors of the attributes, and those of the compiler in the functions they are written at.
//!
//! The tests run `rustc` on the files of `tests/errors`. The comments in these files are the expected
//! errors.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn each_mistake_is_reported_once_and_at_its_line() {
    check("cases.rs");
}

#[test]
fn the_compiler_reports_mistakes_in_the_function_as_without_the_attribute() {
    check("types.rs");
}

fn check(name: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.join("src/lib.rs");
    let built = rustc(&folder, &root, ["--crate-type=proc-macro", "--extern=proc_macro"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let library = format!("--extern=mauve_macros={}", folder.join("libmauve_macros.so").display());
    let file = crate_folder.join("tests/errors").join(name);
    let options = ["--crate-type=lib", "--emit=metadata", "--error-format=short", &library];
    let output = rustc(&folder, &file, options);
    assert!(!output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let mut reported: Vec<_> = errors.lines().filter_map(|line| error(line, name)).collect();
    reported.sort_unstable();
    let source = std::fs::read_to_string(file).unwrap();
    let expected = expected(&source);
    // The compiler adds details to its own messages.
    let is_same = |((line, message), (wanted, start)): (&(usize, &str), &(usize, &str))| {
        line == wanted && message.starts_with(start)
    };
    let all_same = reported.iter().zip(&expected).all(is_same);
    assert!(all_same && reported.len() == expected.len(), "{errors}");
}

fn rustc<const N: usize>(folder: &Path, file: &Path, options: [&str; N]) -> Output {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    let name = if file.ends_with("lib.rs") { "mauve_macros" } else { "errors" };
    rustc.args(["--edition=2024", "--crate-name", name, "--out-dir"]).arg(folder);
    rustc.args(options).arg(file).output().unwrap()
}

/// The line and the message in `file.rs:3:5: error[E0001]: message`.
fn error<'a>(line: &'a str, file: &str) -> Option<(usize, &'a str)> {
    let (location, rest) = line.split_once(": error")?;
    let message = rest.split_once(": ")?.1;
    let line = location.split_once(&format!("{file}:"))?.1.split(':').next()?;
    Some((line.parse().ok()?, message))
}

fn expected(source: &str) -> Vec<(usize, &str)> {
    let lines = source.lines().enumerate();
    lines.filter_map(|(index, line)| Some((index + 1, line.split_once("//~ ")?.1))).collect()
}

//! `docs/switching.md` lists the differences from libuv and their tests. The tests must exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of the tables: what differs, and the tests that it names.
fn rows() -> Vec<(String, Vec<String>)> {
    let path = crate_directory().join("../../docs/switching.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let is_separator = |line: &str| line.starts_with("| ---");
    let with_next = text.lines().zip(text.lines().skip(1));
    let rows = with_next.filter(|(line, next)| {
        line.starts_with("| ") && !is_separator(line) && !is_separator(next)
    });
    rows.map(|(row, _)| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let tests = cells.last().expect("a cell").split('`').skip(1).step_by(2);
        (cells[0].to_owned(), tests.map(str::to_owned).collect())
    })
    .collect()
}

/// The path of a test that the table names.
fn test_path(test: &str) -> PathBuf {
    let tests = crate_directory().join("tests");
    if test.ends_with(".rs") { tests.join(test) } else { tests.join("c").join(test) }
}

#[test]
fn every_difference_is_tested() {
    let rows = rows();
    assert!(rows.len() > 20, "the table has only {} rows", rows.len());
    for (what, tests) in rows {
        assert!(!tests.is_empty(), "no test for: {what}");
        for test in tests {
            assert!(test_path(&test).exists(), "{what}: there is no {test}");
        }
    }
}

#[test]
fn every_test_of_a_difference_is_in_the_table() {
    let named: BTreeSet<String> = rows().into_iter().flat_map(|(_, tests)| tests).collect();
    let directory = crate_directory().join("tests/c/differences");
    for entry in std::fs::read_dir(directory).expect("the directory of differences") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(named.contains(&format!("differences/{name}")), "no row names {name}");
    }
}

#[test]
fn every_advisory_is_tested() {
    let path = crate_directory().join("../../SECURITY.md");
    let text = std::fs::read_to_string(path).expect("the document");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| CVE-")).collect();
    assert!(!rows.is_empty(), "there is no advisory");
    for row in rows {
        let tests: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test for {row}");
        for test in tests {
            assert!(test_path(test).exists(), "{row}: there is no {test}");
        }
    }
}

//! `docs/switching.md` lists the differences from libuv and their tests. The tests must exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of the table: what differs, and the tests that it names.
fn rows() -> Vec<(String, Vec<String>)> {
    let path = crate_directory().join("../../docs/switching.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.map(|row| {
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

//! `docs/switching.md` says what differs from libuv, and what tests it. These tests have to exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The tests that each row of the table names.
fn rows() -> Vec<(String, Vec<String>)> {
    let path = crate_folder().join("../../docs/switching.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let tests = cells.last().expect("a cell").split('`').skip(1).step_by(2);
        (cells[0].to_owned(), tests.map(str::to_owned).collect())
    })
    .collect()
}

/// Where a test that is named like this would be.
fn place(test: &str) -> PathBuf {
    let tests = crate_folder().join("tests");
    if test.ends_with(".rs") { tests.join(test) } else { tests.join("c").join(test) }
}

#[test]
fn every_difference_is_tested() {
    let rows = rows();
    assert!(rows.len() > 20, "the table has only {} rows", rows.len());
    for (what, tests) in rows {
        assert!(!tests.is_empty(), "nothing tests: {what}");
        for test in tests {
            assert!(place(&test).exists(), "{what}: there is no {test}");
        }
    }
}

#[test]
fn every_test_of_a_difference_is_in_the_table() {
    let named: BTreeSet<String> = rows().into_iter().flat_map(|(_, tests)| tests).collect();
    let folder = crate_folder().join("tests/c/differences");
    for entry in std::fs::read_dir(folder).expect("the folder of differences") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(named.contains(&format!("differences/{name}")), "no row names {name}");
    }
}

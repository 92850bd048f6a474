//! One test for each row of the table in the documentation of mauve.

mod channels;
mod http;
mod io;
mod quic;
mod tokio_reactor;

/// Runs a future on a new loop, for at most a minute.
fn run<T>(future: impl Future<Output = T>) -> T {
    let lp: mauve::Loop = mauve::Loop::new().unwrap();
    lp.block_on(async { mauve::timeout(std::time::Duration::from_secs(60), future).await })
        .expect("the test is not stuck")
}

/// The tests, and the rows of the table that name them.
#[test]
fn the_table_of_the_documentation_names_each_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let table = read(root.join("../crates/mauve/src/ecosystem.md"));
    let cell =
        |line: &str| line.strip_suffix("` |")?.rsplit_once('`').map(|(_, test)| test.to_owned());
    let (mut named, files): (Vec<_>, Vec<_>) =
        table.lines().filter_map(cell).partition(|test| test.contains("::"));
    assert!(files.iter().all(|file| root.join("..").join(file).is_file()), "{files:?}");
    let mut tests = Vec::new();
    for module in ["channels", "http", "io", "quic", "tokio_reactor"] {
        let source = read(root.join(format!("tests/all/{module}.rs")));
        let functions =
            source.split("#[test]\nfn ").skip(1).filter_map(|text| text.split('(').next());
        tests.extend(functions.map(|name| format!("{module}::{name}")));
    }
    named.sort();
    tests.sort();
    assert_eq!(named, tests);
}

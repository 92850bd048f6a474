//! What the documentation has to say.

use std::path::{Path, PathBuf};

/// The asynchronous functions of a file whose documentation has no section "Cancel safety".
fn without_cancel_safety(source: &str) -> Vec<&str> {
    let (mut missing, mut documented) = (Vec::new(), false);
    for line in source.lines().map(str::trim) {
        if line.starts_with("///") {
            documented |= line == "/// # Cancel safety";
        } else if let Some(function) = asynchronous(line) {
            if !documented {
                missing.extend(function.split(['<', '(']).next());
            }
            documented = false;
        } else if !line.starts_with("#[") {
            documented = false;
        }
    }
    missing
}

/// What follows `fn`, if a line declares a function that returns a future.
fn asynchronous(line: &str) -> Option<&str> {
    let sleeps = line.ends_with("-> Sleep {") || line.ends_with("-> Timeout<F> {");
    let function = line.strip_prefix("pub fn ").filter(|_| sleeps);
    line.strip_prefix("pub async fn ").or(function)
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    folders.iter().flat_map(|folder| source_files(folder)).chain(files).collect()
}

#[test]
fn each_async_function_says_what_dropping_its_future_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut functions = 0;
    for folder in ["src", "../mauve-hyper/src"] {
        for path in source_files(&root.join(folder)) {
            let source = std::fs::read_to_string(&path).unwrap();
            functions += source.matches("pub async fn ").count();
            let missing = without_cancel_safety(&source);
            assert!(missing.is_empty(), "{}: {missing:?}", path.display());
        }
    }
    assert!(functions > 50, "the sources are found");
}

#[test]
fn a_function_without_the_section_is_found() {
    let source = "/// # Cancel safety\n/// Yes.\n#[must_use]\npub async fn one() {}\n\
                  /// Two.\npub async fn two<T>() {}\n/// # Cancel safety\n\npub async fn three() {}";
    assert_eq!(without_cancel_safety(source), ["two", "three"]);
}

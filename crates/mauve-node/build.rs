//! Generates the table of built-in modules: every file below `js/`, by its path.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new("js");
    println!("cargo::rerun-if-changed=js");
    let mut files = Vec::new();
    collect(root, &mut files);
    let crate_root = std::env::current_dir().expect("cargo runs this in the crate's directory");
    let mut modules: Vec<(String, PathBuf)> = Vec::new();
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let id = file.strip_prefix(root).expect("the file is below the root").with_extension("");
        modules
            .push((id.to_str().expect("the names are UTF-8").to_owned(), crate_root.join(&file)));
    }
    // `builtin::source` uses a binary search.
    modules.sort();
    let mut table = String::from("&[\n");
    for (id, path) in modules {
        writeln!(table, "    ({id:?}, include_str!({path:?})),")
            .expect("writing to a string cannot fail");
    }
    table.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("builtins.rs"), table).expect("the output directory can be written");
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the directory is readable") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "js") {
            files.push(path);
        }
    }
}

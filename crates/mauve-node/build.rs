//! Collects the built-in modules: every file below `js/`, by its path.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new("js");
    println!("cargo::rerun-if-changed=js");
    let mut files = Vec::new();
    collect(root, &mut files);
    let here = std::env::current_dir().expect("cargo runs this in the crate's directory");
    let mut modules: Vec<(String, PathBuf)> = Vec::new();
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let id = file.strip_prefix(root).expect("found below it").with_extension("");
        modules.push((id.to_str().expect("our own names").to_owned(), here.join(&file)));
    }
    // The table is searched by halves.
    modules.sort();
    let mut table = String::from("&[\n");
    for (id, path) in modules {
        writeln!(table, "    ({id:?}, include_str!({path:?})),")
            .expect("a string takes everything");
    }
    table.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("builtins.rs"), table).expect("the output directory can be written");
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the directory of the modules") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "js") {
            files.push(path);
        }
    }
}

//! `cargo xtask generate`: generates Rust tables and C headers from `abi/*.json`.
//!
//! The JSON files define the numbers, names and layouts of the C ABI. The generated files are
//! committed, so that a build needs no generator. `--check` fails if they are out of date. It also fills
//! the [`blocks`] of documents, and collects the [`licenses`] of what is linked in.

pub mod blocks;
mod header;
mod licenses;
pub mod maintained;
mod rust;

use header::prototype;
use serde_json::Value;

use crate::layouts::PLATFORMS;
use crate::{files, root};

/// A generated file: its path in the repository and its content.
pub struct File {
    path: String,
    text: String,
}

pub fn write() -> Result<(), String> {
    for file in generated()? {
        files::write(&root().join(&file.path), &file.text)?;
    }
    Ok(())
}

pub fn check() -> Result<(), String> {
    for file in generated()? {
        let path = root().join(&file.path);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if found != file.text {
            return Err(format!("{} is stale: run `cargo xtask generate`", file.path));
        }
    }
    Ok(())
}

/// All generated files.
fn generated() -> Result<Vec<File>, String> {
    let constants = load("abi/constants.json")?;
    // The first one describes the types. The others have numbers for other platforms.
    let layouts = PLATFORMS.iter().map(|platform| load(&platform.path()));
    let layouts = layouts.collect::<Result<Vec<Value>, String>>()?;
    let layout = &layouts[0];
    let windows = load("abi/layout-x86_64-windows.json")?;
    let functions = load("abi/functions.json")?;
    let file = |path: &str, text| File { path: format!("crates/{path}"), text };
    let mut files = vec![
        file("mauve-sys/src/errno/generated.rs", rust::errors(&constants)),
        file("mauve-sys/src/errno/windows_codes.rs", rust::windows_errors(&constants)),
        file("mauve-uv/src/abi/constants.rs", rust::abi_constants(&constants)),
        file("mauve-uv/src/abi/layout/unix.rs", rust::layouts(&layouts)),
        file("mauve-uv/src/abi/layout/windows.rs", rust::windows_layouts(layout, &windows)),
    ];
    let facts =
        header::Facts { constants: &constants, layout, windows: &windows, functions: &functions };
    files.extend(header::files(&facts)?);
    files.extend(blocks::filled(&functions)?);
    files.push(licenses::file()?);
    Ok(files)
}

pub fn load(path: &str) -> Result<Value, String> {
    serde_json::from_str(&read(path)?).map_err(|e| format!("{path}: {e}"))
}

/// Reads a file of the repository.
pub fn read(path: &str) -> Result<String, String> {
    files::read(root().join(path))
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

pub fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

//! `cargo xtask generate`: generates Rust tables and C headers from `abi/*.json`.
//!
//! The JSON files define the numbers, names and layouts of the C ABI. The generated files are
//! committed, so that a build needs no generator. `--check` fails if they are out of date.

mod header;
pub mod maintained;
mod rust;

pub use header::prototype;
use serde_json::Value;

use crate::layouts::PLATFORMS;
use crate::root;

/// A generated file: its path in the repository and its content.
pub struct File {
    path: &'static str,
    text: String,
}

pub fn write() -> Result<(), String> {
    for file in files()? {
        let path = root().join(file.path);
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        std::fs::write(&path, &file.text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

pub fn check() -> Result<(), String> {
    for file in files()? {
        let path = root().join(file.path);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if found != file.text {
            return Err(format!("{} is stale: run `cargo xtask generate`", file.path));
        }
    }
    Ok(())
}

/// All generated files.
fn files() -> Result<Vec<File>, String> {
    let constants = load("abi/constants.json")?;
    // The first one describes the types. The others have numbers for other platforms.
    let layouts = PLATFORMS.iter().map(|platform| load(&platform.path()));
    let layouts = layouts.collect::<Result<Vec<Value>, String>>()?;
    let layout = &layouts[0];
    let functions = load("abi/functions.json")?;
    let mut files = vec![
        File { path: "crates/mauve-sys/src/errno/generated.rs", text: rust::errors(&constants) },
        File {
            path: "crates/mauve-uv/src/abi/constants.rs",
            text: rust::abi_constants(&constants),
        },
        File { path: "crates/mauve-uv/src/abi/layout.rs", text: rust::layouts(&layouts) },
    ];
    let facts = header::Facts { constants: &constants, layout, functions: &functions };
    files.extend(header::files(&facts)?);
    Ok(files)
}

pub fn load(path: &str) -> Result<Value, String> {
    serde_json::from_str(&read(path)?).map_err(|e| format!("{path}: {e}"))
}

/// Reads a file of the repository.
pub fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"))
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

pub fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

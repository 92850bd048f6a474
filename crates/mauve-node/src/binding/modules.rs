//! File access of the module loaders.

use std::path::Path;

use mauve::Errno;
use rquickjs::{Ctx, Object, Result};

use super::{define, throw};
use crate::host::cjs_exports::CjsExports;
use crate::host::module_syntax::{has_top_level_await, module_syntax};
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "exportNames", export_names)?;
    define(object, "hasTopLevelAwait", |source: String| has_top_level_await(&source))?;
    define(object, "kind", kind)?;
    define(object, "moduleSyntax", |source: String| module_syntax(&source) as i32)?;
    define(object, "nodeModulePaths", |path: String| node_module_paths(&path))?;
    define(object, "read", read)?;
    define(object, "realPath", real_path)?;
    Ok(())
}

/// The names that the text of a CommonJS module exports, and the modules whose names it exports too.
fn export_names(source: String) -> Vec<Vec<String>> {
    let CjsExports { names, reexports } = CjsExports::find(&source);
    vec![names, reexports]
}

/// Returns 0 for a file, 1 for a directory, -1 if the path does not exist.
fn kind(Text(path): Text) -> i32 {
    std::fs::metadata(Path::new(&path)).map_or(-1, |metadata| metadata.is_dir().into())
}

/// The node_modules directories of a directory and its parents.
fn node_module_paths(directory: &str) -> Vec<String> {
    let directories = Path::new(directory).ancestors();
    let outside = directories.filter(|directory| !directory.ends_with("node_modules"));
    outside.map(|directory| directory.join("node_modules").display().to_string()).collect()
}

/// Reads a file as UTF-8. Invalid bytes are replaced.
fn read(ctx: Ctx<'_>, Text(path): Text) -> Result<String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())),
        Err(error) => throw(&ctx, Errno::from(error)),
    }
}

fn real_path(ctx: Ctx<'_>, Text(path): Text) -> Result<String> {
    match std::fs::canonicalize(path) {
        Ok(path) => Ok(path.to_string_lossy().into_owned()),
        Err(error) => throw(&ctx, Errno::from(error)),
    }
}

//! The files that modules are loaded from.

use std::path::Path;

use mauve::Errno;
use rquickjs::{Ctx, Object, Result};

use super::{functions, throw};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "kind" => kind,
        "read" => read,
        "realPath" => real_path,
    });
    Ok(())
}

/// 0 for a file, 1 for a directory, -1 for nothing.
fn kind(path: String) -> i32 {
    std::fs::metadata(Path::new(&path)).map_or(-1, |metadata| metadata.is_dir().into())
}

/// The text of a file; what is not UTF-8 in it is replaced.
fn read(ctx: Ctx<'_>, path: String) -> Result<String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())),
        Err(error) => throw(&ctx, Errno::from(error)),
    }
}

fn real_path(ctx: Ctx<'_>, path: String) -> Result<String> {
    match std::fs::canonicalize(path) {
        Ok(path) => Ok(path.to_string_lossy().into_owned()),
        Err(error) => throw(&ctx, Errno::from(error)),
    }
}

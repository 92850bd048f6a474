//! The C compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{include, library, root, scratch};

const FLAGS: &[&str] = &["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-pthread"];

/// Compiles `source` with Debian's header. Programs for our library alone are compiled and linked
/// with ours, because they may use newer functions.
pub fn compile(source: &Path, area: &str, for_ours_alone: bool) -> Result<PathBuf, String> {
    let stem = source.file_stem().unwrap_or_default();
    let program = scratch(&format!("programs/{area}")).join(stem);
    let cplusplus = source.extension().is_some_and(|end| end == "cc");
    let (compiler, standard) =
        if cplusplus { ("c++", "-std=gnu++17") } else { ("cc", "-std=gnu11") };
    let mut compiler = Command::new(compiler);
    compiler.arg(standard).args(FLAGS).arg("-I").arg(root()).arg(source).arg("-o").arg(&program);
    if for_ours_alone {
        compiler.arg("-I").arg(include()).arg("-L").arg(library::ours());
    }
    let output = compiler.arg("-luv").output().map_err(|e| format!("cc: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "it does not compile (is libuv1-dev installed?)\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(program)
}

//! The C compiler.

use std::path::{Path, PathBuf};

use super::library::Library;
use super::{include, root, scratch, target};

const FLAGS: &[&str] = &["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-pthread"];

/// Compiles `source` with Debian's header, to run on `library`. Programs for our library alone are
/// compiled and linked with ours, because they may use newer functions.
pub fn compile(
    source: &Path,
    area: &str,
    for_ours_alone: bool,
    library: &Library,
) -> Result<PathBuf, String> {
    let for_ours = *library == Library::Ours;
    let mut name = source.file_stem().unwrap_or_default().to_owned();
    if target::compiles_twice() && for_ours {
        name.push("-ours");
    }
    let program = scratch(&format!("programs/{area}")).join(name);
    let cplusplus = source.extension().is_some_and(|end| end == "cc");
    let (compiler, standard) =
        if cplusplus { ("c++", "-std=gnu++17") } else { ("cc", "-std=gnu11") };
    let mut compiler = target::compiler(compiler, for_ours);
    compiler.arg(standard).args(FLAGS).arg("-I").arg(root()).arg(source).arg("-o").arg(&program);
    target::link(&mut compiler, for_ours_alone.then(include).as_deref(), for_ours);
    let output = compiler.output().map_err(|e| format!("cc: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "it does not compile (is libuv1-dev installed?)\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(program)
}

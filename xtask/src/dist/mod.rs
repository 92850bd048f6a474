//! What users get: the library, its headers, and what build systems want to know about them.
//!
//! * [`install`]: lays it out below a prefix.
//! * [`deb`]: makes Debian packages of it.

pub mod deb;
pub mod install;
mod layout;
mod version;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, target};

/// The files of the library, as C programs use it.
pub struct Built {
    pub shared: PathBuf,
    pub archive: PathBuf,
}

/// Builds the library. Without the crate type that tests want, since cargo does not optimise across
/// crates for that one, and then not for the others either.
pub fn build() -> Result<Built, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["rustc", "--quiet", "--release", "--locked", "-p", "mauve-uv", "--lib"]);
    cargo.args(["--crate-type", "cdylib,staticlib"]);
    succeed(cargo.current_dir(root()))?;
    let release = target().join("release");
    Ok(Built { shared: release.join("libuv.so"), archive: release.join("libuv.a") })
}

/// Runs a command that has to succeed, and returns what it printed.
fn succeed(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}: {}", output.status, errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a file, and the folders above it.
fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    let folder = path.parent().expect("a file stands in a folder");
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The text of a file in `dist/`, with each `@NAME@` replaced.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let path = root().join("dist").join(template);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text =
        values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    match text.split('@').nth(1).filter(|name| name.chars().all(|c| c.is_ascii_uppercase())) {
        Some(name) => Err(format!("{}: nothing is known of @{name}@", path.display())),
        None => Ok(text),
    }
}

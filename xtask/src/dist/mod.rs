//! Distribution: the library, its headers, and files for build systems.
//!
//! * [`install`]: installs them below a prefix.
//! * [`deb`]: builds Debian packages.

pub mod deb;
pub mod install;
mod layout;
mod version;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, target};

/// The built libraries.
pub struct Built {
    pub shared: PathBuf,
    pub archive: PathBuf,
}

/// Builds the release library. Without the crate type `lib`, which only tests need: cargo disables
/// link-time optimisation for all crate types if it is among them.
pub fn build() -> Result<Built, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["rustc", "--quiet", "--release", "--locked", "-p", "mauve-uv", "--lib"]);
    cargo.args(["--crate-type", "cdylib,staticlib"]);
    succeed(cargo.current_dir(root()))?;
    let release = target().join("release");
    Ok(Built { shared: release.join("libuv.so"), archive: release.join("libuv.a") })
}

/// Runs a command that must succeed, and returns its output.
fn succeed(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}: {}", output.status, errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a file, and creates its parent folders.
fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    let folder = path.parent().expect("a file is in a folder");
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
        Some(name) => Err(format!("{}: unknown variable @{name}@", path.display())),
        None => Ok(text),
    }
}

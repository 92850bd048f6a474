//! Distribution: the library, its headers, files for build systems, and the command.
//!
//! * [`build`](mod@build): builds what is distributed, without paths of this machine in it.
//! * [`layout`]: where the files are below a prefix.
//! * [`install`]: installs them below a prefix.
//! * [`deb`]: builds Debian packages.
//! * [`tarball`]: builds an archive with an installer, for other distributions.
//! * [`reproduce`]: builds the library twice, and compares.
//! * [`chroot`]: tries the packages in a throw-away root.

mod build;
pub mod chroot;
pub mod deb;
pub mod install;
mod layout;
pub mod reproduce;
pub mod tarball;
mod version;

use std::path::Path;
use std::process::Command;

use crate::root;
use crate::setup::{Setup, Tool};
use crate::tally::Tally;
pub use build::{Built, build};
pub use layout::Layout;

/// Checks the Debian packages of the library with lintian.
pub fn check(setup: &Setup) -> Result<Tally, String> {
    let packages = deb::build(deb::LIBRARY)?;
    let mut tally = Tally::passed(1);
    match setup.lacks(&[Tool::Lintian]) {
        Some(why) => tally.skip(packages.len(), why),
        None => {
            deb::lint(&packages)?;
            tally.passed += packages.len();
        }
    }
    println!("{tally}");
    Ok(tally)
}

/// Runs a command that must succeed, and returns its output.
fn succeed(command: &mut Command) -> Result<String, String> {
    crate::build::quietly(command)
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

/// The text of a file in the repository.
fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"))
}

/// The time of the last commit, in seconds: the time of all files in archives. Without git, 0.
fn time() -> String {
    if let Ok(time) = std::env::var("SOURCE_DATE_EPOCH") {
        return time;
    }
    let mut git = Command::new("git");
    let time = succeed(git.args(["log", "-1", "--format=%ct"]).current_dir(root()));
    time.ok()
        .map(|time| time.trim().to_owned())
        .filter(|time| !time.is_empty())
        .unwrap_or("0".into())
}

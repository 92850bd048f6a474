//! Distribution: the library, its headers, files for build systems, and the command.
//!
//! * [`build`](mod@build): builds what is distributed, without paths of this machine in it.
//! * [`layout`]: where the files are below a prefix.
//! * [`install`]: installs them below a prefix.
//! * [`windows`]: the library for Windows, and a zip archive of it.
//! * [`deb`]: builds Debian packages.
//! * [`portable`]: builds the library for older distributions.
//! * [`tarball`]: builds an archive with an installer, for other distributions.
//! * [`reproduce`]: builds the library twice, and compares.
//! * [`chroot`]: tries the packages in a throw-away root.

mod build;
pub mod chroot;
pub mod deb;
pub mod install;
mod layout;
pub mod portable;
pub mod reproduce;
pub mod tarball;
mod version;
mod windows;

use std::process::Command;

use crate::build::quietly;
use crate::setup::{Setup, Tool};
use crate::tally::Tally;
use crate::{files, root};
pub use build::{Built, build, build_redirect};
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

/// The text of a file in `dist/`, with each `@NAME@` replaced.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let path = root().join("dist").join(template);
    let text = files::read(&path)?;
    let text =
        values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    match text.split('@').nth(1).filter(|name| name.chars().all(|c| c.is_ascii_uppercase())) {
        Some(name) => Err(format!("{}: unknown variable @{name}@", path.display())),
        None => Ok(text),
    }
}

/// The time of the last commit, in seconds: the time of all files in archives. Without git, 0.
fn time() -> String {
    if let Ok(time) = std::env::var("SOURCE_DATE_EPOCH") {
        return time;
    }
    let mut git = Command::new("git");
    let time = quietly(git.args(["log", "-1", "--format=%ct"]).current_dir(root()));
    time.ok()
        .map(|time| time.trim().to_owned())
        .filter(|time| !time.is_empty())
        .unwrap_or("0".into())
}

//! Debian's packages: downloads them by name and unpacks them in the target folder.
//!
//! The folder `packages/NAME` has the downloaded file. It is created after the package was unpacked,
//! so an existing folder means that the package is complete.

use std::path::Path;
use std::process::Command;

use super::environment::Environment;
use crate::build::quietly;
use crate::files;

/// A package, and the prefix of its version.
struct Package<'a> {
    name: &'a str,
    version: &'a str,
}

/// Unpacks packages, which are separated by spaces, into the root of `env`: `NAME`, or `NAME=VERSION` with the
/// prefix of a version. Skips those that are already unpacked.
pub fn unpack(packages: &str, env: &Environment) -> Result<(), String> {
    for package in packages.split_whitespace() {
        let (name, version) = package.split_once('=').unwrap_or((package, ""));
        let package = Package { name, version };
        files::fill_once(env.folder.join("packages").join(name), |folder| {
            download(&package, folder).map_err(|why| format!("cannot download {name}: {why}"))?;
            extract(folder, &env.root())
        })?;
    }
    Ok(())
}

/// Unpacks the package that was downloaded into `folder`.
pub fn extract(folder: &Path, root: &Path) -> Result<(), String> {
    let file = files::with_extension(folder, "deb")?.pop();
    let file = file.ok_or("apt-get has downloaded no package")?;
    quietly(Command::new("dpkg").arg("-x").arg(file).arg(root)).map(drop)
}

fn download(package: &Package, folder: &Path) -> Result<(), String> {
    let mut wanted = package.name.to_owned();
    if !package.version.is_empty() {
        wanted = format!("{wanted}={}", version(package)?);
    }
    // Without the sandbox user, which may not be permitted to write to the folder.
    let mut command = Command::new("apt-get");
    command.args(["-q", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=2"]);
    quietly(command.arg("download").arg(wanted).current_dir(folder)).map(drop)
}

/// The newest version with the prefix. `apt-cache madison` lists the newest first.
fn version(package: &Package) -> Result<String, String> {
    let known = quietly(Command::new("apt-cache").arg("madison").arg(package.name))?;
    let mut versions = known.lines().filter_map(|line| Some(line.split('|').nth(1)?.trim()));
    let found = versions.find(|version| version.starts_with(package.version));
    let none = || format!("apt knows no version {}*", package.version);
    found.map(str::to_owned).ok_or_else(none)
}

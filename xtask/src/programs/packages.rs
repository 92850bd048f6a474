//! Debian's packages: downloads them by name and unpacks them in the target folder.
//!
//! The folder `packages/NAME` has the downloaded file. It is created after the package was unpacked,
//! so an existing folder means that the package is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::environment::Environment;

/// A package, and the prefix of its version.
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
}

/// A package of any version.
pub const fn any(name: &'static str) -> Package {
    Package { name, version: "" }
}

/// Unpacks `packages` into the root of `env`. Skips those that are already unpacked.
pub fn unpack(packages: &[Package], env: &Environment) -> Result<(), String> {
    for package in packages {
        let kept = env.folder.join("packages").join(package.name);
        if kept.exists() {
            continue;
        }
        let partial = env.folder.join("packages").join(format!("{}.partial", package.name));
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir_all(&partial).map_err(|e| format!("{}: {e}", partial.display()))?;
        let file = download(package, &partial)
            .map_err(|why| format!("cannot download {}: {why}", package.name))?;
        output(Command::new("dpkg").arg("-x").arg(file).arg(env.root()))?;
        fs::rename(&partial, &kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    }
    Ok(())
}

fn download(package: &Package, folder: &Path) -> Result<PathBuf, String> {
    let mut wanted = package.name.to_owned();
    if !package.version.is_empty() {
        wanted = format!("{wanted}={}", version(package)?);
    }
    // Without the sandbox user, which may not be permitted to write to the folder.
    let mut command = Command::new("apt-get");
    command.args(["-q", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=2"]);
    output(command.arg("download").arg(wanted).current_dir(folder))?;
    let mut files = fs::read_dir(folder).map_err(|e| e.to_string())?;
    let file = files.next().ok_or("apt-get has downloaded no file")?;
    Ok(file.map_err(|e| e.to_string())?.path())
}

/// The newest version with the prefix. `apt-cache madison` lists the newest first.
fn version(package: &Package) -> Result<String, String> {
    let known = output(Command::new("apt-cache").arg("madison").arg(package.name))?;
    let mut versions = known.lines().filter_map(|line| Some(line.split('|').nth(1)?.trim()));
    let found = versions.find(|version| version.starts_with(package.version));
    let none = || format!("apt knows no version {}*", package.version);
    found.map(str::to_owned).ok_or_else(none)
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}", errors.trim().replace('\n', "; ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

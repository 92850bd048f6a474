//! Debian's packages of other architectures: downloads them and unpacks them in the target folder.
//!
//! Nothing is installed. apt gets lists of its own in that folder, so those of the system stay as they
//! are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::quietly;
use crate::target;

const MIRROR: &str = "http://deb.debian.org/debian";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// An architecture of Debian, and the oldest release that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    pub name: &'static str,
    suite: &'static str,
}

pub const ARM64: Architecture = Architecture { name: "arm64", suite: "bookworm" };
pub const RISCV64: Architecture = Architecture { name: "riscv64", suite: "trixie" };

/// Unpacks packages into one folder, and returns it. Skips those that are already unpacked.
pub fn unpack(architecture: Architecture, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target().join("foreign").join(architecture.name);
    let root = folder.join("root");
    let is_missing = |package: &&&str| !folder.join("packages").join(package).exists();
    let missing: Vec<&str> = packages.iter().filter(is_missing).copied().collect();
    if missing.is_empty() {
        return Ok(root);
    }
    let apt = Apt::new(architecture, &folder)?;
    quietly(apt.command().arg("update"))?;
    for package in missing {
        // Renamed when it is complete.
        let partial = create(folder.join("packages").join(format!("{package}.partial")))?;
        quietly(apt.command().arg("download").arg(package).current_dir(&partial))?;
        let mut files = fs::read_dir(&partial).map_err(|e| e.to_string())?.flatten();
        let file = files.next().ok_or("apt-get has downloaded no file")?.path();
        quietly(Command::new("dpkg").arg("-x").arg(file).arg(&root))?;
        let complete = folder.join("packages").join(package);
        fs::rename(&partial, &complete).map_err(|e| format!("{}: {e}", complete.display()))?;
    }
    Ok(root)
}

/// apt with its files in a folder of ours.
struct Apt {
    options: Vec<String>,
}

impl Apt {
    fn new(architecture: Architecture, folder: &Path) -> Result<Self, String> {
        let lists = create(folder.join("lists"))?;
        create(lists.join("partial"))?;
        let cache = create(folder.join("cache"))?;
        create(cache.join("archives/partial"))?;
        let source = format!("deb [signed-by={KEYRING}] {MIRROR} {} main\n", architecture.suite);
        let sources = write(folder.join("sources.list"), &source)?;
        let status = write(folder.join("status"), "")?;
        let path = |name: &str, path: &Path| format!("{name}={}", path.display());
        let options = vec![
            format!("APT::Architecture={}", architecture.name),
            format!("APT::Architectures={}", architecture.name),
            path("Dir::Etc::sourcelist", &sources),
            "Dir::Etc::sourceparts=-".to_owned(),
            path("Dir::State::lists", &lists),
            path("Dir::State::status", &status),
            path("Dir::Cache", &cache),
            // The sandbox user may not be permitted to write to the folder.
            "APT::Sandbox::User=root".to_owned(),
            "Acquire::Retries=2".to_owned(),
        ];
        Ok(Self { options })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("apt-get");
        command.arg("-q").args(self.options.iter().flat_map(|option| ["-o", option]));
        command
    }
}

fn create(folder: PathBuf) -> Result<PathBuf, String> {
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn write(file: PathBuf, text: &str) -> Result<PathBuf, String> {
    fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

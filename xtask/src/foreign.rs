//! Debian's packages of other architectures and releases: downloads them and unpacks them in the target folder.
//!
//! Nothing is installed. apt gets lists of its own in that folder, so those of the system stay as they
//! are.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::quietly;
use crate::programs::packages;
use crate::{files, target};

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// An architecture of Debian, and the oldest release that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    pub name: &'static str,
    suite: &'static str,
}

pub const ARM64: Architecture = Architecture { name: "arm64", suite: "bookworm" };
/// The one of this machine, of the oldest release on the mirror.
pub const OLDEST: Option<Architecture> = match std::env::consts::ARCH.as_bytes() {
    b"x86_64" => Some(Architecture { name: "amd64", suite: "bullseye" }),
    b"aarch64" => Some(Architecture { name: "arm64", suite: "bullseye" }),
    _ => None,
};
pub const RISCV64: Architecture = Architecture { name: "riscv64", suite: "trixie" };

/// Unpacks packages into one folder, and returns it. Skips those that are already unpacked.
pub fn unpack(architecture: Architecture, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target().join("foreign").join(architecture.suite).join(architecture.name);
    let root = folder.join("root");
    let is_missing = |package: &&&str| !folder.join("packages").join(package).exists();
    let missing: Vec<&str> = packages.iter().filter(is_missing).copied().collect();
    if missing.is_empty() {
        return Ok(root);
    }
    let apt = Apt::new(architecture, &folder)?;
    quietly(apt.command().arg("update"))?;
    for package in missing {
        files::fill_once(folder.join("packages").join(package), |folder| {
            quietly(apt.command().arg("download").arg(package).current_dir(folder))?;
            packages::extract(folder, &root)
        })?;
    }
    Ok(root)
}

/// apt with its files in a folder of ours.
struct Apt {
    options: Vec<String>,
}

impl Apt {
    fn new(architecture: Architecture, folder: &Path) -> Result<Self, String> {
        let [lists, cache] = ["lists", "cache"].map(|name| folder.join(name));
        files::create(lists.join("partial"))?;
        files::create(cache.join("archives/partial"))?;
        let mirror = mirror()?;
        let source = format!("deb [signed-by={KEYRING}] {mirror} {} main\n", architecture.suite);
        let [sources, status] = ["sources.list", "status"].map(|name| folder.join(name));
        files::write(&sources, source)?;
        files::write(&status, "")?;
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

/// The mirror of Debian that this system uses.
fn mirror() -> Result<String, String> {
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(SITE)", "Created-By: Packages"]);
    targets.args(["Origin: Debian", "Component: main", "Label: Debian"]);
    let output = targets.output().map_err(|error| format!("apt-get: {error}"))?;
    let sites = String::from_utf8_lossy(&output.stdout);
    let site = sites.lines().next();
    site.map(str::to_owned).ok_or_else(|| "apt has no lists of Debian: `apt-get update`".to_owned())
}

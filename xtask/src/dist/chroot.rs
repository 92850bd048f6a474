//! `cargo xtask chroot`: tries the packages, the archive and the set-up in a bare Debian.
//!
//! `debootstrap` creates the root once, in the target folder. Each script of `xtask/chroot` runs in a
//! copy that vanishes with it. This needs root, debootstrap and a network, so it is no part of
//! `cargo xtask test`. `cargo xtask programs --suite newest` uses such a root, too.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{deb, tarball};
use crate::build::quietly;
use crate::{files, root, target};

/// The release of Debian.
const RELEASE: &str = "bookworm";

/// A script, what it is given, and the folders that it sees.
struct Trial {
    name: &'static str,
    input: fn() -> Result<PathBuf, String>,
    folders: fn() -> Result<Vec<PathBuf>, String>,
}

const TRIALS: &[Trial] = &[
    Trial { name: "deb", input: packages, folders: || Ok(vec![target(), root()]) },
    Trial { name: "tarball", input: tarball::make, folders: || Ok(vec![target(), root()]) },
    Trial { name: "setup", input: || Ok(PathBuf::new()), folders: toolchain },
];

/// Runs all trials, or those that are named.
pub fn run(names: &[&str]) -> Result<(), String> {
    let find = |name: &&str| {
        TRIALS.iter().find(|trial| trial.name == *name).expect("clap knows only these names")
    };
    let chosen: Vec<&Trial> = match names {
        [] => TRIALS.iter().collect(),
        names => names.iter().map(find).collect(),
    };
    let base = base(RELEASE, &[])?;
    for trial in &chosen {
        println!("\n== {}", trial.name);
        trial.run(&base)?;
    }
    println!("\n{} passed, 0 failed", chosen.len());
    Ok(())
}

impl Trial {
    fn run(&self, base: &Path) -> Result<(), String> {
        let mut command = enter(base, self.name, &(self.folders)()?);
        command.env("INPUT", (self.input)()?).env("EXTRA", root().join("examples/c"));
        let status = command.status().map_err(|e| format!("unshare: {e}"))?;
        if status.success() { Ok(()) } else { Err(format!("{} has failed", self.name)) }
    }
}

/// The folder of all packages, which lintian has checked.
fn packages() -> Result<PathBuf, String> {
    let files = deb::build(deb::ALL)?;
    match Command::new("lintian").arg("--version").output() {
        Ok(_) => deb::lint(&files)?,
        Err(why) => println!("lintian: skipped: {why}"),
    }
    files[0].parent().map(Path::to_owned).ok_or_else(|| "a package is in a folder".to_owned())
}

/// The repository, and the folders of cargo and rustup.
fn toolchain() -> Result<Vec<PathBuf>, String> {
    let home = std::env::var_os("HOME").map(PathBuf::from).ok_or("HOME is not set")?;
    let folder = |variable: &str, name: &str| {
        std::env::var_os(variable).map_or_else(|| home.join(name), PathBuf::from)
    };
    Ok(vec![root(), folder("CARGO_HOME", ".cargo"), folder("RUSTUP_HOME", ".rustup")])
}

/// The command that runs the script `name` in a copy of the root `base`, which sees these folders.
pub fn enter(base: &Path, name: &str, folders: &[PathBuf]) -> Command {
    let scripts = root().join("xtask/chroot");
    let mut command = script("enter.sh");
    command.arg(base).arg(scripts.join(name).with_extension("sh")).args(folders);
    command
}

/// The command that runs a script of `xtask/chroot` with mounts of its own.
fn script(name: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "sh"]);
    command.arg(root().join("xtask/chroot").join(name));
    command
}

/// The root of a release with these packages. Creates it once.
pub fn base(release: &str, packages: &[&str]) -> Result<PathBuf, String> {
    files::fill_once(target().join("chroot").join(release), |folder| {
        println!("creating a root of Debian {release} in {}", folder.display());
        let mut create = Command::new("debootstrap");
        create.args(["--variant=minbase", release]).arg(folder);
        quietly(&mut create).map_err(|why| {
            format!("{why}\nthis needs root, a network, and `apt-get install debootstrap`")
        })?;
        if !packages.is_empty() {
            println!("installing {}", packages.join(", "));
            quietly(script("install.sh").arg(folder).args(packages))?;
        }
        Ok(())
    })
}

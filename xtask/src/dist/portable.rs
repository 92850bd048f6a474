//! Builds the library for distributions with an older glibc than this system.
//!
//! A library needs the versions of the symbols that it was linked with. So it is linked with the C library
//! of an old Debian, which is unpacked in the target folder. Nothing else of it is used.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::{Built, build_with};
use super::deb;
use crate::build::quietly;
use crate::foreign::{self, OLDEST};
use crate::tally::Tally;
use crate::{files, root, target};

/// The newest glibc that the library may need: that of RHEL 8 and Debian 10.
const NEWEST: [u32; 2] = [2, 28];

/// Checks that the library loads with an old glibc. Skipped where that cannot be downloaded.
pub fn check() -> Result<Tally, String> {
    match unpack() {
        Ok(_) => build().map(|_| Tally::passed(1)),
        Err(why) => Ok(Tally::skipped(why)),
    }
}

/// Builds the library. Fails if it needs a newer glibc.
pub fn build() -> Result<Built, String> {
    let system = unpack()?;
    let machine = std::env::consts::ARCH;
    let libraries = [format!("usr/lib/{machine}-linux-gnu"), format!("lib/{machine}-linux-gnu")];
    let mut flags = vec![format!("--sysroot={}", system.display())];
    flags.extend(libraries.map(|folder| format!("-L{}", system.join(folder).display())));
    // The standard library uses this function of glibc 2.30 if it exists.
    flags.push("-Wl,--defsym=gettid=0".to_owned());
    let flags: Vec<String> = flags.into_iter().map(|flag| format!("-Clink-arg={flag}")).collect();
    // The flags are for the library only: programs of the build run on this system.
    let triple = format!("{machine}-unknown-linux-gnu");
    let built = build_with(&root(), &target().join("portable"), &flags, Some(&triple))?;
    let needed = deb::glibc(&built.shared)?;
    let numbers: Vec<u32> = needed.split('.').map(|part| part.parse().unwrap_or(0)).collect();
    if numbers[..] > NEWEST[..] {
        let [major, minor] = NEWEST;
        return Err(format!("the library needs glibc {needed}, newer than {major}.{minor}"));
    }
    require_lazy_binding(&built.shared)?;
    load(&system, &built.shared)?;
    Ok(built)
}

/// Fails if the loader looks all functions up when a program starts.
fn require_lazy_binding(library: &Path) -> Result<(), String> {
    let mut readelf = Command::new("readelf");
    let dynamic = quietly(readelf.arg("--dynamic").arg(library).env("LC_ALL", "C"))?;
    let is_eager = |line: &str| line.contains("FLAGS") && line.contains("NOW");
    match dynamic.lines().find(|line| is_eager(line)) {
        Some(line) => Err(format!("{} has the flag {}", library.display(), line.trim())),
        None => Ok(()),
    }
}

/// The folder with the old C library.
fn unpack() -> Result<PathBuf, String> {
    let architecture = OLDEST.ok_or("there is no old glibc for this architecture")?;
    let system = foreign::unpack(architecture, &["libc6", "libc6-dev"])?;
    // Absolute links would lead to this system's libraries.
    let folders = [&format!("usr/lib/{}-linux-gnu", std::env::consts::ARCH), "lib", "lib64"];
    let paths = folders.iter().flat_map(|folder| files::entries(&system.join(folder)));
    for link in paths.flatten().filter(|path| path.is_symlink()) {
        let to = files::at(&link, link.read_link())?;
        if let Ok(inside) = to.strip_prefix("/")
            && !to.starts_with(&system)
        {
            files::link(system.join(inside), &link)?;
        }
    }
    Ok(system)
}

/// Loads the library with the dynamic linker of the old system.
fn load(system: &Path, library: &Path) -> Result<(), String> {
    let folder = system.join(format!("lib/{}-linux-gnu", std::env::consts::ARCH));
    let is_linker = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-2."))
    };
    let linker = files::entries(&folder)?
        .into_iter()
        .find(is_linker)
        .ok_or("the old system has no dynamic linker")?;
    let mut command = Command::new(linker);
    command.arg("--library-path").arg(folder).arg("--list").arg(library);
    quietly(&mut command).map(drop)
}

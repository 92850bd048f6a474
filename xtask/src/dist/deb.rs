//! `cargo xtask deb`: builds Debian packages, for this release of Debian and newer ones.
//!
//! There are two packages, as for Debian's libuv: one to run programs, and one with the headers and
//! the static library to build them. They replace `libuv1` and `libuv1-dev` and conflict with them,
//! because a system has one `libuv.so.1`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::layout::Layout;
use super::{Built, build, fill, succeed, version, write};
use crate::{root, target};

pub fn run() -> Result<(), String> {
    for tool in ["dpkg-deb", "dpkg", "nm", "strip", "gzip", "md5sum"] {
        let found = Command::new(tool).arg("--version").output();
        found.map_err(|e| {
            format!("{tool}: {e} (building packages needs Debian, dpkg and binutils)")
        })?;
    }
    let built = build()?;
    let facts = Facts::gather(&built)?;
    for package in [&RUNTIME, &DEVELOPMENT] {
        let file = package.make(&built, &facts)?;
        println!("{}", file.display());
    }
    Ok(())
}

/// One of the packages.
struct Package {
    name: &'static str,
    lay_out: fn(&Layout, &Built) -> Result<(), String>,
    /// Whether it has a shared library, which needs the control files `shlibs` and `triggers`.
    has_library: bool,
}

const RUNTIME: Package = Package {
    name: "libuv1-mauve",
    lay_out: |layout, built| layout.lay_out_runtime(built).map(drop),
    has_library: true,
};

const DEVELOPMENT: Package =
    Package { name: "libuv1-mauve-dev", lay_out: Layout::lay_out_development, has_library: false };

/// The values of the packages' control files.
struct Facts {
    architecture: String,
    /// The oldest version of glibc that the library runs on.
    glibc: String,
    /// The version of libuv's interface.
    version: String,
    /// The version of the packages.
    package: String,
}

impl Facts {
    fn gather(built: &Built) -> Result<Self, String> {
        let version = version::of_interface()?;
        let architecture = succeed(Command::new("dpkg").arg("--print-architecture"))?;
        Ok(Self {
            architecture: architecture.trim().to_owned(),
            glibc: glibc(&built.shared)?,
            package: format!("{version}+mauve{}", version::OF_MAUVE),
            version,
        })
    }
}

impl Package {
    /// Builds the package. Returns the path of the file.
    fn make(&self, built: &Built, facts: &Facts) -> Result<PathBuf, String> {
        let folder = target().join("debian");
        let stage = folder.join(self.name);
        let _ = fs::remove_dir_all(&stage);
        let libdir = format!("lib/{}-linux-gnu", std::env::consts::ARCH);
        let layout =
            Layout { destdir: stage.clone(), prefix: "/usr".into(), libdir: libdir.into() };
        (self.lay_out)(&layout, built)?;
        self.document(&layout)?;
        self.control(&stage, facts)?;
        let name = format!("{}_{}_{}.deb", self.name, facts.package, facts.architecture);
        let file = folder.join(name);
        let mut make = Command::new("dpkg-deb");
        succeed(make.args(["--root-owner-group", "--build"]).arg(&stage).arg(&file))?;
        Ok(file)
    }

    /// Writes the license and the changelog to `/usr/share/doc`.
    fn document(&self, layout: &Layout) -> Result<(), String> {
        let folder = layout.path("share/doc").join(self.name);
        let license = read("LICENSE")?;
        let holder = license.lines().find(|line| line.starts_with("Copyright"));
        let holder = holder.ok_or("LICENSE names no copyright holder")?;
        let holder = holder.trim_start_matches("Copyright (c) ");
        // The format of Debian's copyright files has a dot for an empty line.
        let terms = license.split_once("Permission").ok_or("LICENSE is not the MIT license")?.1;
        let terms: Vec<String> = format!("Permission{terms}")
            .lines()
            .map(|line| if line.is_empty() { " .".to_owned() } else { format!(" {line}") })
            .collect();
        let values = [("HOLDER", holder), ("LICENSE", &terms.join("\n"))];
        write(&folder.join("copyright"), fill("debian/copyright.in", &values)?)?;
        let changes = folder.join("changelog");
        write(&changes, read("CHANGELOG.md")?)?;
        succeed(Command::new("gzip").args(["-9n"]).arg(changes)).map(drop)
    }

    /// Writes the control files of dpkg.
    fn control(&self, stage: &Path, facts: &Facts) -> Result<(), String> {
        let folder = stage.join("DEBIAN");
        let (size, sums) = contents(stage)?;
        let major = facts.version.split('.').next().unwrap_or_default();
        let values = [
            ("PACKAGE", facts.package.as_str()),
            ("VERSION", &facts.version),
            ("ARCHITECTURE", &facts.architecture),
            ("GLIBC", &facts.glibc),
            ("SIZE", &size),
            ("MAJOR", major),
        ];
        let control = fill(&format!("debian/{}.control.in", self.name), &values)?;
        write(&folder.join("control"), control)?;
        write(&folder.join("md5sums"), sums)?;
        if self.has_library {
            write(&folder.join("shlibs"), fill("debian/shlibs.in", &values)?)?;
            write(&folder.join("triggers"), fill("debian/triggers", &values)?)?;
        }
        Ok(())
    }
}

/// The installed size in kB, and the checksums of the files.
fn contents(stage: &Path) -> Result<(String, String), String> {
    let script = "find usr -type f -print0 | sort -z | xargs -0 md5sum";
    let sums = succeed(Command::new("sh").args(["-c", script]).current_dir(stage))?;
    let size =
        succeed(Command::new("du").args(["-sk", "--apparent-size", "usr"]).current_dir(stage))?;
    Ok((size.split_whitespace().next().unwrap_or("0").to_owned(), sums))
}

/// The newest version of glibc among the symbols that a library needs.
fn glibc(library: &Path) -> Result<String, String> {
    let listed = succeed(Command::new("nm").args(["-D", "--undefined-only"]).arg(library))?;
    let versions = listed.lines().filter_map(|line| line.split_once("@GLIBC_"));
    let numbers =
        |version: &str| version.split('.').map(|part| part.parse().unwrap_or(0)).collect();
    let newest =
        versions.map(|(_, version)| version).max_by_key(|version| -> Vec<u32> { numbers(version) });
    newest.map(str::to_owned).ok_or_else(|| "the library needs no symbol of glibc".to_owned())
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"))
}

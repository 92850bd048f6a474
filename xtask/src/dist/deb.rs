//! `cargo xtask deb`: builds Debian packages, for this release of Debian and newer ones.
//!
//! There are two packages, as for Debian's libuv: one to run programs, and one with the headers and
//! the static library to build them. They replace `libuv1` and `libuv1-dev` and conflict with them,
//! because a system has one `libuv.so.1`. A third one has the debug symbols, a fourth the command.
//!
//! Whoever builds packages is their maintainer, as Debian's tools have it: `DEBFULLNAME` and `DEBEMAIL`.
//! Without these variables the packages name none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::build::build_command;
use super::layout::{self, Layout};
use super::{Built, fill, time, version};
use crate::build::quietly;
use crate::files::{link, read, write};
use crate::{root, target};

/// The version of functions that libuv had before it documented versions.
const OLDEST: &str = "1.0.0";

/// What lintian reports about packages without a maintainer: a changelog of Debian names one, too.
const WITHOUT_MAINTAINER: &str = "required-field,no-changelog";

/// The licenses of what is linked in.
pub const THIRD_PARTY: &str = "crates/mauve-cli/THIRD-PARTY.txt";

/// The folder of zsh's completions in Debian.
const ZSH: &str = "share/zsh/vendor-completions";

/// Builds the packages and prints their paths. With `library`, only those of the library.
pub fn run(library: bool) -> Result<(), String> {
    let packages = if library { LIBRARY } else { ALL };
    for file in build(packages)? {
        println!("{}", file.display());
    }
    Ok(())
}

/// Builds these packages. Returns the paths of the files.
pub fn build(packages: &[Package]) -> Result<Vec<PathBuf>, String> {
    for tool in ["dpkg-deb", "dpkg", "nm", "objcopy", "readelf", "strip", "gzip", "md5sum"] {
        let found = Command::new(tool).arg("--version").output();
        found.map_err(|e| {
            format!("{tool}: {e} (building packages needs Debian, dpkg and binutils)")
        })?;
    }
    let built = super::build()?;
    packages.iter().map(|package| package.make(&built)).collect()
}

/// Checks packages with lintian. An error or a warning fails.
pub fn lint(packages: &[PathBuf]) -> Result<(), String> {
    let mut lintian = Command::new("lintian");
    lintian.args(["--fail-on", "error,warning", "--tag-display-limit", "0", "--allow-root"]);
    if maintainer().is_none() {
        lintian.args(["--suppress-tags", WITHOUT_MAINTAINER]);
    }
    let output = quietly(lintian.args(packages).env("LC_ALL", "C"))?;
    print!("{output}");
    println!("lintian: {} packages have no errors or warnings", packages.len());
    Ok(())
}

/// One of the packages.
pub struct Package {
    name: &'static str,
    lay_out: fn(&Layout, &Built) -> Result<(), String>,
    /// The program that the package depends on glibc for, if it has one.
    program: Program,
    /// Whether the version is that of libuv's interface, with mauve's appended.
    has_interface: bool,
}

/// What a package contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    /// The shared library, which needs the control files `shlibs` and `triggers`.
    Library,
    Command,
    /// Files to build programs.
    None,
}

const RUNTIME: Package = Package {
    name: "libuv1-mauve",
    lay_out: |layout, built| layout.lay_out_runtime(built).map(drop),
    program: Program::Library,
    has_interface: true,
};

const DEVELOPMENT: Package = Package {
    name: "libuv1-mauve-dev",
    lay_out: Layout::lay_out_development,
    program: Program::None,
    has_interface: true,
};

const SYMBOLS: Package = Package {
    name: "libuv1-mauve-dbgsym",
    lay_out: Layout::lay_out_symbols,
    program: Program::None,
    has_interface: true,
};

const COMMAND: Package = Package {
    name: "mauve",
    lay_out: |layout, _| layout.lay_out_command(&build_command()?, ZSH),
    program: Program::Command,
    has_interface: false,
};

/// The packages of the library.
pub const LIBRARY: &[Package] = &[RUNTIME, DEVELOPMENT, SYMBOLS];

pub const ALL: &[Package] = &[RUNTIME, DEVELOPMENT, SYMBOLS, COMMAND];

/// The values of a package's control files.
struct Facts {
    architecture: String,
    /// The oldest version of glibc that the program runs on.
    glibc: String,
    /// The version of libuv's interface.
    interface: String,
    /// The version of the package.
    package: String,
    /// The id of the build, which debuggers find the symbols by.
    build: String,
    /// The line `Maintainer` of the package, if there is one.
    maintainer: String,
}

impl Facts {
    fn gather(package: &Package, built: &Built, layout: &Layout) -> Result<Self, String> {
        let interface = version::of_interface()?;
        let architecture = quietly(Command::new("dpkg").arg("--print-architecture"))?;
        let program = match package.program {
            Program::Library | Program::None => built.shared.clone(),
            Program::Command => layout.path("bin/mauve"),
        };
        let own = version::OF_MAUVE;
        Ok(Self {
            architecture: architecture.trim().to_owned(),
            glibc: glibc(&program)?,
            package: match package.has_interface {
                true => format!("{interface}+mauve{own}"),
                false => own.to_owned(),
            },
            interface,
            build: layout::build_id(&program)?,
            maintainer: maintainer().map_or(String::new(), |it| format!("Maintainer: {it}\n")),
        })
    }
}

impl Package {
    /// Builds the package. Returns the path of the file.
    fn make(&self, built: &Built) -> Result<PathBuf, String> {
        let folder = target().join("debian");
        let stage = folder.join(self.name);
        let _ = fs::remove_dir_all(&stage);
        let libdir = format!("lib/{}-linux-gnu", std::env::consts::ARCH);
        let layout =
            Layout { destdir: stage.clone(), prefix: "/usr".into(), libdir: libdir.into() };
        (self.lay_out)(&layout, built)?;
        let facts = Facts::gather(self, built, &layout)?;
        self.document(&layout, &facts)?;
        self.control(&stage, &facts)?;
        permit(&stage)?;
        let name = format!("{}_{}_{}.deb", self.name, facts.package, facts.architecture);
        let file = folder.join(name);
        let mut make = Command::new("dpkg-deb");
        make.args(["--root-owner-group", "--build"]).arg(&stage).arg(&file);
        // The time of the files in the package.
        quietly(make.env("SOURCE_DATE_EPOCH", time()))?;
        Ok(file)
    }

    /// Writes the license and the changelogs to `/usr/share/doc`.
    fn document(&self, layout: &Layout, facts: &Facts) -> Result<(), String> {
        let folder = layout.path("share/doc").join(self.name);
        // Debug symbols have the documents of the package that they belong to.
        if let Some(other) = self.name.strip_suffix("-dbgsym") {
            return link(other, &folder);
        }
        let license = read(root().join("LICENSE"))?;
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
        write(&folder.join("THIRD-PARTY"), read(root().join(THIRD_PARTY))?)?;
        // Debian's changelog is that of the packaging. Its last entry has the version of the package, and
        // names the maintainer. Without one, only mauve's changes are there, under another name.
        let maintainer = maintainer();
        let name = if maintainer.is_some() { "changelog" } else { "NEWS" };
        write(&folder.join(name), read(root().join("CHANGELOG.md"))?)?;
        if let Some(maintainer) = maintainer {
            let date = quietly(Command::new("date").args(["-uR", "-d", &format!("@{}", time())]))?;
            let values =
                [("PACKAGE", &*facts.package), ("DATE", date.trim()), ("MAINTAINER", &*maintainer)];
            write(&folder.join("changelog.Debian"), fill("debian/changelog.in", &values)?)?;
        }
        let mut compress = Command::new("sh");
        let script = "find . -type f ! -name copyright -exec gzip -9nf {} +";
        compress.args(["-c", script]).current_dir(&folder);
        quietly(&mut compress)?;
        let overrides = root().join(format!("dist/debian/{}.lintian-overrides", self.name));
        match read(overrides) {
            Ok(text) => write(&layout.path("share/lintian/overrides").join(self.name), text),
            Err(_) => Ok(()),
        }
    }

    /// Writes the control files of dpkg.
    fn control(&self, stage: &Path, facts: &Facts) -> Result<(), String> {
        let folder = stage.join("DEBIAN");
        let (size, sums) = contents(stage)?;
        let major = facts.interface.split('.').next().unwrap_or_default();
        let values = [
            ("PACKAGE", facts.package.as_str()),
            ("VERSION", &facts.interface),
            ("ARCHITECTURE", &facts.architecture),
            ("GLIBC", &facts.glibc),
            ("SIZE", &size),
            ("MAJOR", major),
            ("BUILD", &facts.build),
            ("MAINTAINER", &facts.maintainer),
        ];
        let control = fill(&format!("debian/{}.control.in", self.name), &values)?;
        write(&folder.join("control"), control)?;
        write(&folder.join("md5sums"), sums)?;
        if self.program == Program::Library {
            write(&folder.join("shlibs"), fill("debian/shlibs.in", &values)?)?;
            write(&folder.join("symbols"), symbols()?)?;
            write(&folder.join("triggers"), fill("debian/triggers", &values)?)?;
        }
        Ok(())
    }
}

/// The file `symbols`: since which version of libuv each function exists. A program that is built with the
/// package depends on the newest of those that it uses, of this library or of libuv.
fn symbols() -> Result<String, String> {
    let functions = crate::generate::load("abi/functions.json")?;
    let functions = functions["functions"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut lines: Vec<String> = functions
        .iter()
        .filter_map(|function| {
            let since = text(&function["since"]).unwrap_or_else(|| OLDEST.to_owned());
            Some(format!(" {}@Base {since}", text(&function["name"])?))
        })
        .collect();
    lines.sort();
    let version = version::of_interface()?;
    let major = version.split('.').next().unwrap_or_default();
    let alternatives = "libuv1-mauve #MINVER# | libuv1 #MINVER#";
    Ok(format!("libuv.so.{major} {alternatives}\n{}\n", lines.join("\n")))
}

/// The maintainer of the packages, as for Debian's tools.
fn maintainer() -> Option<String> {
    let [name, address] = ["DEBFULLNAME", "DEBEMAIL"].map(|name| std::env::var(name).ok());
    Some(format!("{} <{}>", name?, address?))
}

/// The installed size in kB, and the checksums of the files.
fn contents(stage: &Path) -> Result<(String, String), String> {
    let script = "find usr -type f -print0 | sort -z | xargs -0 md5sum";
    let sums = quietly(Command::new("sh").args(["-c", script]).current_dir(stage))?;
    let size =
        quietly(Command::new("du").args(["-sk", "--apparent-size", "usr"]).current_dir(stage))?;
    Ok((size.split_whitespace().next().unwrap_or("0").to_owned(), sums))
}

/// Sets the permissions of Debian's policy, whatever the umask is: files are readable by all, and only
/// folders and programs are executable.
fn permit(stage: &Path) -> Result<(), String> {
    let script = "find . -type d -exec chmod 755 {} + && find . -type f -exec chmod 644 {} + && \
                  if [ -d usr/bin ]; then chmod 755 usr/bin/*; fi";
    quietly(Command::new("sh").args(["-c", script]).current_dir(stage)).map(drop)
}

/// The newest version of glibc among the symbols that a library needs.
pub fn glibc(library: &Path) -> Result<String, String> {
    let listed = quietly(Command::new("nm").args(["-D", "--undefined-only"]).arg(library))?;
    let versions = listed.lines().filter_map(|line| line.split_once("@GLIBC_"));
    let numbers =
        |version: &str| version.split('.').map(|part| part.parse().unwrap_or(0)).collect();
    let newest =
        versions.map(|(_, version)| version).max_by_key(|version| -> Vec<u32> { numbers(version) });
    newest.map(str::to_owned).ok_or_else(|| "the library needs no symbol of glibc".to_owned())
}

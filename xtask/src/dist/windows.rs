//! `cargo xtask install --target x86_64-pc-windows-gnu`: the library for Windows, as a folder and a zip archive.
//!
//! Debian's compiler builds it, with the standard library from source. The DLL has the name of libuv's own build
//! with MinGW.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::set_flags;
use super::{fill, layout, time, version};
use crate::build::quietly;
use crate::files::{copy, create_empty, read, write};
use crate::generate::{load, text};
use crate::windows::{COMPILER, TOOLS, TRIPLE};
use crate::{cross, root, setup, target};

/// The prefix of MinGW's programs.
const MINGW: &str = "x86_64-w64-mingw32-";

/// The system's import libraries that the static library needs.
const LIBRARIES: &[&str] =
    &["ws2_32", "iphlpapi", "userenv", "bcrypt", "advapi32", "user32", "ntdll", "synchronization"];

/// Builds the archive. Installs below the prefix, too, if there is one.
pub fn run(prefix: Option<&Path>) -> Result<(), String> {
    if let Some(why) = setup::Setup::prepare(TOOLS, setup::Install::Everything).lacks(TOOLS) {
        return Err(why);
    }
    let name = format!("mauve-{}-windows-x86_64", version::OF_MAUVE);
    let folder = target().join("windows").join("dist");
    let stage = create_empty(folder.join(&name))?;
    lay_out(&stage)?;
    if let Some(prefix) = prefix {
        lay_out(prefix)?;
        println!("installed in {}", prefix.display());
    }
    println!("{}", pack(&folder, &name)?.display());
    Ok(())
}

/// Builds the DLL and the static library. Returns their folder.
fn build() -> Result<PathBuf, String> {
    let mut cargo = cross::debian_cargo("cargo", "rustc");
    cargo.args(["--quiet", "--profile", "dist", "-p", "mauve-uv", "--lib"]);
    cargo.args(["--crate-type", "cdylib,staticlib", "--target", TRIPLE]);
    cargo.arg("-Zbuild-std=std,panic_unwind");
    let linker = "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER";
    quietly(set_flags(&mut cargo, &root(), &[])?.env(linker, COMPILER))?;
    Ok(target().join("cross").join(TRIPLE).join("dist"))
}

/// Installs the files below a folder.
fn lay_out(prefix: &Path) -> Result<(), String> {
    let built = build()?;
    let (dll, archive) = (prefix.join("bin/libuv.dll"), prefix.join("lib/libuv.a"));
    copy(&built.join("uv.dll"), &dll)?;
    copy(&built.join("libuv.a"), &archive)?;
    mingw("strip", &["--strip-unneeded"], &[&dll])?;
    mingw("strip", &["--strip-debug"], &[&archive])?;
    import_library(prefix)?;
    for header in layout::HEADERS.iter().chain(&["uv/win.h"]) {
        let from = root().join("crates/mauve-uv/include").join(header);
        copy(&from, &prefix.join("include").join(header))?;
    }
    let version = version::of_interface()?;
    let major = version.split('.').next().expect("a version has a major number");
    let libraries = LIBRARIES.join(";");
    let values = [("LIBRARIES", &*libraries), ("VERSION", &version), ("MAJOR", major)];
    let cmake = prefix.join("lib/cmake/libuv");
    write(&cmake.join("libuvConfig.cmake"), fill("libuvConfig-windows.cmake.in", &values)?)?;
    write(&cmake.join("libuvConfigVersion.cmake"), fill("libuvConfigVersion.cmake.in", &values)?)?;
    for (name, file) in [("LICENSE", "LICENSE"), ("THIRD-PARTY.txt", super::deb::THIRD_PARTY)] {
        write(&prefix.join(name), read(root().join(file))?)?;
    }
    Ok(())
}

/// Makes the import library of `libuv.dll`: the one that the compiler makes names `uv.dll`.
fn import_library(prefix: &Path) -> Result<(), String> {
    let functions = load("abi/functions.json")?;
    let mut definition = "LIBRARY libuv.dll\nEXPORTS\n".to_owned();
    for function in functions["functions"].as_array().expect("a list of functions") {
        let _ = writeln!(definition, "    {}", text(&function["name"]));
    }
    let file = target().join("windows/libuv.def");
    write(&file, definition)?;
    let (definition, library) = (file.as_path(), prefix.join("lib/libuv.dll.a"));
    let mut dlltool = Command::new(format!("{MINGW}dlltool"));
    quietly(dlltool.arg("-d").arg(definition).arg("-l").arg(library)).map(drop)
}

fn mingw(program: &str, arguments: &[&str], files: &[&Path]) -> Result<(), String> {
    quietly(Command::new(format!("{MINGW}{program}")).args(arguments).args(files)).map(drop)
}

/// Packs a folder, with the same time for all files.
fn pack(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let archive = folder.join(format!("{name}.zip"));
    let _ = std::fs::remove_file(&archive);
    let mut date = Command::new("date");
    let seconds = format!("@{}", time());
    let date = quietly(date.args(["-u", "+%Y-%m-%d %H:%M:%S UTC", "-d", &seconds]))?;
    let mut cmake = Command::new("cmake");
    cmake.args(["-E", "tar", "cf"]).arg(&archive).args(["--format=zip"]);
    cmake.arg(format!("--mtime={}", date.trim())).args(["--", name]).current_dir(folder);
    quietly(&mut cmake)?;
    Ok(archive)
}

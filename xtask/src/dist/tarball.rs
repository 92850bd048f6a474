//! `cargo xtask tarball`: an archive of the command and the library for all distributions with glibc,
//! with the script `install.sh`. The library needs an older glibc than the command.
//!
//! The archive has the installed files below `files/`, and a list of those of each part. The script
//! copies them and writes the prefix into the files of pkg-config and CMake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::build_command;
use super::layout::{Layout, ZSH};
use super::{deb, fill, portable, time, version};
use crate::build::quietly;
use crate::files::{read, write};
use crate::{documents, root, target};

/// Builds the archive and prints its path.
pub fn run() -> Result<(), String> {
    println!("{}", make()?.display());
    Ok(())
}

/// Builds the archive. Returns its path.
pub fn make() -> Result<PathBuf, String> {
    let (library, command) = (portable::build()?, build_command()?);
    let machine = std::env::consts::ARCH;
    let name = format!("mauve-{}-linux-{machine}", version::OF_MAUVE);
    let folder = target().join("tarball");
    let stage = folder.join(&name);
    let _ = fs::remove_dir_all(&stage);

    // The stage of each part is listed before the next part is added.
    let layout =
        Layout { destdir: stage.join("files"), prefix: PathBuf::from("/"), libdir: "lib".into() };
    layout.lay_out_runtime(&library)?;
    layout.lay_out_development(&library)?;
    let of_library = files(&layout.path(""))?;
    layout.lay_out_command(&command, ZSH)?;
    for (name, file) in [("LICENSE", "LICENSE"), ("THIRD-PARTY.txt", deb::THIRD_PARTY)] {
        write(&layout.path("share/doc/mauve").join(name), read(root().join(file))?)?;
    }
    let mut of_command = files(&layout.path(""))?;
    of_command.retain(|file| !of_library.contains(file));
    write(&stage.join("library.list"), of_library.join("\n") + "\n")?;
    write(&stage.join("command.list"), of_command.join("\n") + "\n")?;

    let glibc = deb::glibc(&layout.path("bin/mauve"))?;
    let values = [("MACHINE", machine), ("GLIBC", &*glibc)];
    write(&stage.join("install.sh"), fill("install.sh", &values)?)?;
    write(&stage.join("THIRD-PARTY.txt"), read(root().join(deb::THIRD_PARTY))?)?;
    for file in documents::with_links("README.md")? {
        let content = fs::read(root().join(&file)).map_err(|e| format!("{file}: {e}"))?;
        write(&stage.join(&file), content)?;
    }
    quietly(Command::new("chmod").arg("755").arg(stage.join("install.sh")))?;

    let file = folder.join(format!("{name}.tar.gz"));
    let script = "tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX \
                  --mtime=@$2 \"$0\" | gzip -9n > \"$1\"";
    let mut pack = Command::new("bash");
    pack.args(["-o", "pipefail", "-c", script, &name]).arg(&file).arg(time());
    quietly(pack.current_dir(&folder))?;
    Ok(file)
}

/// The files and links below a folder, relative to it.
fn files(folder: &Path) -> Result<Vec<String>, String> {
    let script = "find . '(' -type f -o -type l ')' -printf '%P\\n' | LC_ALL=C sort";
    let list = quietly(Command::new("sh").args(["-c", script]).current_dir(folder))?;
    Ok(list.lines().map(str::to_owned).collect())
}

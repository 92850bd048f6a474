//! `cargo xtask reproduce`: builds the library twice, in different folders, and compares the files.
//!
//! The first build is the one that is installed and packaged. The second is of a copy of the sources,
//! in another folder and with an empty target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::{Built, build, build_in};
use crate::build::quietly;
use crate::{files, root, target};

/// Compares the two builds. Returns the number of compared files.
pub fn run() -> Result<usize, String> {
    let first = build()?;
    let folder = target().join("reproduce");
    let _ = fs::remove_dir_all(&folder);
    let copy = folder.join("a copy of the repository");
    copy_sources(&copy)?;
    let second = build_in(&copy, &folder.join("target of the copy"))?;
    let pairs = [(&first.shared, &second.shared), (&first.archive, &second.archive)];
    for (first, second) in pairs {
        same(first, second)?;
    }
    contains_no_path(&first, &[root(), copy])?;
    // It is as large as the target folder.
    let _ = fs::remove_dir_all(&folder);
    Ok(pairs.len())
}

/// Copies the files of the repository that git knows, or all of them in an unpacked archive.
fn copy_sources(to: &Path) -> Result<(), String> {
    files::create(to)?;
    let script = r#"
        if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
            git ls-files -z --cached --others --exclude-standard
        else
            find . -path ./target -prune -o -path ./node_modules -prune -o -type f -print0 \
                -o -type l -print0
        fi | while IFS= read -r -d '' file; do
            if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
        done | tar -c --null --files-from=- | tar -x -C "$0""#;
    quietly(Command::new("bash").args(["-ec", script]).arg(to).current_dir(root())).map(drop)
}

/// Compares two files byte by byte, and prints their checksum.
fn same(first: &Path, second: &Path) -> Result<(), String> {
    let read = |path: &Path| files::at(path, fs::read(path));
    let (ours, theirs) = (read(first)?, read(second)?);
    let sum = |path: &Path| -> Result<String, String> {
        let line = quietly(Command::new("sha256sum").arg(path))?;
        Ok(line.split_whitespace().next().unwrap_or_default().to_owned())
    };
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    println!("{name}: {} bytes, sha256 {}", ours.len(), sum(first)?);
    if ours == theirs {
        return Ok(());
    }
    let at = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
    let at = at.unwrap_or(ours.len().min(theirs.len()));
    Err(format!(
        "{name} differs from byte {at}: {} has {} bytes, {} has {}",
        first.display(),
        ours.len(),
        second.display(),
        theirs.len()
    ))
}

/// Checks that the library names no folder of this machine.
fn contains_no_path(built: &Built, folders: &[PathBuf]) -> Result<(), String> {
    let bytes = files::at(&built.shared, fs::read(&built.shared))?;
    let home = std::env::var_os("CARGO_HOME").or(std::env::var_os("HOME")).map(PathBuf::from);
    for folder in folders.iter().chain(&home) {
        let name = folder.as_os_str().as_encoded_bytes();
        if name.len() > 4 && bytes.windows(name.len()).any(|window| window == name) {
            return Err(format!("{} contains {}", built.shared.display(), folder.display()));
        }
    }
    Ok(())
}

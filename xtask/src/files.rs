//! Files and folders. Errors name the path.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

/// Adds the path to an error.
pub fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a text.
pub fn read(path: impl AsRef<Path>) -> Result<String, String> {
    at(path.as_ref(), fs::read_to_string(&path))
}

/// Writes a file, and creates its folder.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    create_parent(path)?;
    at(path, fs::write(path, content))
}

/// Creates a folder, and those that it is in. Returns it.
pub fn create(folder: impl Into<PathBuf>) -> Result<PathBuf, String> {
    let folder = folder.into();
    at(&folder, fs::create_dir_all(&folder))?;
    Ok(folder)
}

/// Removes what is in a folder, or creates it. Returns it.
pub fn create_empty(folder: impl Into<PathBuf>) -> Result<PathBuf, String> {
    let folder = folder.into();
    let _ = fs::remove_dir_all(&folder);
    create(folder)
}

/// A folder that `fill` has filled once. If that fails, the folder does not exist.
pub fn fill_once(
    folder: PathBuf,
    fill: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    if !folder.exists() {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let partial = create_empty(folder.with_file_name(format!("{name}.partial")))?;
        fill(&partial)?;
        at(&folder, fs::rename(&partial, &folder))?;
    }
    Ok(folder)
}

/// Copies a file, and creates its folder. An existing file is replaced and not changed, because programs may
/// have it mapped.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    create_parent(to)?;
    let _ = fs::remove_file(to);
    at(from, fs::copy(from, to)).map(drop)
}

/// Creates or replaces a symbolic link, and creates its folder.
pub fn link(to: impl AsRef<Path>, path: &Path) -> Result<(), String> {
    create_parent(path)?;
    let _ = fs::remove_file(path);
    at(path, symlink(to, path))
}

fn create_parent(path: &Path) -> Result<(), String> {
    create(path.parent().expect("a file is in a folder")).map(drop)
}

/// The paths of the entries of a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = at(folder, fs::read_dir(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<_> = at(folder, paths.collect::<io::Result<_>>())?;
    paths.sort();
    Ok(paths)
}

/// The files of a folder and of the folders below it, sorted.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The files of a folder with this extension, sorted.
pub fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|end| end == extension));
    Ok(paths)
}

/// Whether this process is root: the owner of its own entry in `/proc`.
pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

//! Finds mauve's library.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::Refusal;

/// A `libuv.so` of mauve.
pub struct Library {
    pub path: PathBuf,
    /// The result of `uv_version_string`.
    pub version: String,
}

/// The possible file names.
const NAMES: [&str; 2] = ["libuv.so.1", "libuv.so"];

impl Library {
    /// Finds the library: the option, then `MAUVE_LIB`, then the folders of [`search_path`].
    pub fn find(option: Option<&Path>) -> Result<Self, Refusal> {
        let named = option.map(Path::to_owned);
        let named = named.or_else(|| std::env::var_os("MAUVE_LIB").map(PathBuf::from));
        if let Some(path) = named {
            let files =
                if path.is_dir() { NAMES.map(|name| path.join(name)).to_vec() } else { vec![path] };
            let found = files.iter().find(|file| file.exists()).unwrap_or(&files[0]);
            return Self::open(found).map_err(Refusal::Impossible);
        }
        let folders = search_path();
        let files = folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name)));
        // Skips other libuv libraries in these folders.
        files.into_iter().find_map(|file| Self::open(&file).ok()).ok_or_else(|| {
            let folders: Vec<_> =
                folders.iter().map(|folder| folder.display().to_string()).collect();
            Refusal::Impossible(format!(
                "mauve's libuv.so.1 not found in {}: build it with `cargo build --release -p \
                 mauve-uv`, or set MAUVE_LIB",
                folders.join(", ")
            ))
        })
    }

    fn open(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let path = path.canonicalize().map_err(|e| format!("{shown}: {e}"))?;
        let bytes = fs::read(&path).map_err(|e| format!("{shown}: {e}"))?;
        let version = version(&bytes).ok_or_else(|| format!("{shown} is not mauve's library"))?;
        Ok(Self { path, version })
    }

    /// A folder where the library is named `libuv.so.1`. Creates a link if needed and possible.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.path.parent()?;
        // cargo builds `libuv.so`. The link is in a separate folder, because cargo adds its own
        // folder to the search path of everything that it runs.
        let links = folder.join("with-mauve");
        if self.is_named_in(folder) || self.is_named_in(&links) {
            let named = if self.is_named_in(folder) { folder } else { &links };
            return Some(named.to_owned());
        }
        fs::create_dir_all(&links).ok()?;
        let _ = std::os::unix::fs::symlink(&self.path, links.join(NAMES[0]));
        self.is_named_in(&links).then_some(links)
    }

    fn is_named_in(&self, folder: &Path) -> bool {
        folder.join(NAMES[0]).canonicalize().is_ok_and(|path| path == self.path)
    }
}

/// Finds the version string in the library: a version with the suffix `-mauve`.
fn version(bytes: &[u8]) -> Option<String> {
    const SUFFIX: &[u8] = b"-mauve\0";
    let end = bytes.windows(SUFFIX.len()).position(|window| window == SUFFIX)?;
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let begin = end - bytes[..end].iter().rev().take_while(is_part).count();
    // Strings are adjacent in a library: the preceding one may end with digits.
    let text = std::str::from_utf8(&bytes[begin..end]).ok()?;
    let mut parts = text.rsplit('.');
    let (patch, minor, major) = (parts.next()?, parts.next()?, parts.next()?);
    let major = major.chars().last()?;
    Some(format!("{major}.{minor}.{patch}-mauve"))
}

/// The folder of this command, cargo's folders of optimised builds, and the `lib` folders of the prefix.
fn search_path() -> Vec<PathBuf> {
    let Ok(command) = std::env::current_exe() else { return Vec::new() };
    let Some(folder) = command.parent() else { return Vec::new() };
    let mut folders = vec![folder.to_owned()];
    if let Some(prefix) = folder.parent() {
        let name = folder.file_name();
        if name == Some(OsStr::new("release")) {
            // The library of this profile is faster than one beside the command.
            folders.insert(0, prefix.join("dist"));
        }
        if name == Some(OsStr::new("debug")) {
            folders.extend(["dist", "release"].map(|profile| prefix.join(profile)));
        }
        folders.push(prefix.join("lib"));
        folders.push(prefix.join(format!("lib/{}-linux-gnu", std::env::consts::ARCH)));
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_of_mauve_are_found() {
        assert_eq!(version(b"x641.52.2-mauve\0yy").as_deref(), Some("1.52.2-mauve"));
        assert_eq!(version(b"1.44.2\0-mauve"), None);
        assert_eq!(version(b"libuv-mauve\0"), None);
    }
}

//! Finds mauve's `libuv.so.1`.

use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::Refusal;
use super::carried::LIBRARY;

/// A `libuv.so` of mauve.
pub struct Library {
    pub path: PathBuf,
    /// The result of `uv_version_string`, with the suffix `-mauve`.
    pub version: String,
}

/// The file name that programs load.
pub const NAME: &str = "libuv.so.1";

/// The possible file names. Cargo builds the second one.
const NAMES: [&str; 2] = [NAME, "libuv.so"];

impl Library {
    /// Finds the library: the option, then `MAUVE_LIB`, then the one in the folder `carried`.
    pub fn find(option: Option<&Path>, carried: &Path) -> Result<Self, Refusal> {
        let named = option.map(Path::to_owned);
        let named = named.or_else(|| std::env::var_os("MAUVE_LIB").map(PathBuf::from));
        let Some(path) = named else {
            // The file was just compared with these bytes.
            return Self::new(&carried.join(NAME), LIBRARY).map_err(Refusal::Impossible);
        };
        let files =
            if path.is_dir() { NAMES.map(|name| path.join(name)).to_vec() } else { vec![path] };
        let found = files.iter().find(|file| file.exists()).unwrap_or(&files[0]);
        Self::open(found).map_err(Refusal::Impossible)
    }

    fn open(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Self::new(path, &bytes)
    }

    fn new(path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let shown = path.display();
        let version = version(bytes).ok_or_else(|| format!("{shown} is not mauve's library"))?;
        let path = path.canonicalize().map_err(|e| format!("{shown}: {e}"))?;
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
        // Replaces the link of a folder that was moved.
        let link = links.join(format!("{NAME}.{}", std::process::id()));
        let made = std::os::unix::fs::symlink(&self.path, &link);
        let _ = made.and_then(|()| fs::rename(&link, links.join(NAME)));
        self.is_named_in(&links).then_some(links)
    }

    fn is_named_in(&self, folder: &Path) -> bool {
        folder.join(NAME).canonicalize().is_ok_and(|path| path == self.path)
    }
}

/// Finds the version in the library: a string that is followed by the string `mauve`.
fn version(bytes: &[u8]) -> Option<String> {
    const NAME: &[u8] = b"\0mauve\0";
    memmem::find_iter(bytes, NAME).find_map(|end| version_before(bytes, end))
}

/// The version that ends at `end`.
fn version_before(bytes: &[u8], end: usize) -> Option<String> {
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let begin = end - bytes[..end].iter().rev().take_while(is_part).count();
    // Strings are adjacent in a library: the preceding one may end with digits.
    let text = std::str::from_utf8(&bytes[begin..end]).ok()?;
    let mut parts = text.rsplit('.');
    let (patch, minor, major) = (parts.next()?, parts.next()?, parts.next()?);
    let major = major.chars().last()?;
    Some(format!("{major}.{minor}.{patch}-mauve"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_of_mauve_are_found() {
        let bytes = b"1\0mauve\0x641.53.0\0mauve\0yy";
        assert_eq!(version(bytes).as_deref(), Some("1.53.0-mauve"));
        assert_eq!(version(b"1.44.2\0-mauve\0"), None);
        assert_eq!(version(b"libuv\0mauve\0"), None);
    }
}

//! Our library, wherever it is.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::Refusal;

/// A `libuv.so` of ours.
pub struct Library {
    pub path: PathBuf,
    /// What `uv_version_string` will say.
    pub version: String,
}

/// The names that it goes by.
const NAMES: [&str; 2] = ["libuv.so.1", "libuv.so"];

impl Library {
    /// The one that was asked for, or that the environment names, or the nearest.
    pub fn find(asked: Option<&Path>) -> Result<Self, Refusal> {
        let named = asked.map(Path::to_owned);
        let named = named.or_else(|| std::env::var_os("MAUVE_LIB").map(PathBuf::from));
        if let Some(path) = named {
            let files =
                if path.is_dir() { NAMES.map(|name| path.join(name)).to_vec() } else { vec![path] };
            let found = files.iter().find(|file| file.exists()).unwrap_or(&files[0]);
            return Self::open(found).map_err(Refusal::Impossible);
        }
        let places = places();
        let files = places.iter().flat_map(|place| NAMES.map(|name| place.join(name)));
        // Another libuv may stand in one of these places.
        files.into_iter().find_map(|file| Self::open(&file).ok()).ok_or_else(|| {
            let places: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
            Refusal::Impossible(format!(
                "there is no libuv.so.1 of mauve's in {}: build it with `cargo build --release -p \
                 mauve-uv`, or name it in MAUVE_LIB",
                places.join(", ")
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

    /// A folder where it goes by the name that programs ask for, if there is one or can be.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.path.parent()?;
        // Where cargo has built it, it has another name. The link gets a folder of its own: cargo
        // has the loader search its folder for everything that it starts.
        let own = folder.join("with-mauve");
        if self.is_named_in(folder) || self.is_named_in(&own) {
            let named = if self.is_named_in(folder) { folder } else { &own };
            return Some(named.to_owned());
        }
        fs::create_dir_all(&own).ok()?;
        let _ = std::os::unix::fs::symlink(&self.path, own.join(NAMES[0]));
        self.is_named_in(&own).then_some(own)
    }

    fn is_named_in(&self, folder: &Path) -> bool {
        folder.join(NAMES[0]).canonicalize().is_ok_and(|path| path == self.path)
    }
}

/// The text that only our library has: its version, with our name.
fn version(bytes: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"-mauve\0";
    let end = bytes.windows(MARK.len()).position(|window| window == MARK)?;
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let begin = end - bytes[..end].iter().rev().take_while(is_part).count();
    // Texts stand close together in a library: what is before may end in digits, too.
    let text = std::str::from_utf8(&bytes[begin..end]).ok()?;
    let mut parts = text.rsplit('.');
    let (patch, minor, major) = (parts.next()?, parts.next()?, parts.next()?);
    let major = major.chars().last()?;
    Some(format!("{major}.{minor}.{patch}-mauve"))
}

/// Beside this command, where cargo puts it, and below the prefix that both are installed in.
fn places() -> Vec<PathBuf> {
    let Ok(command) = std::env::current_exe() else { return Vec::new() };
    let Some(folder) = command.parent() else { return Vec::new() };
    let mut places = vec![folder.to_owned()];
    if let Some(above) = folder.parent() {
        if folder.file_name() == Some(OsStr::new("debug")) {
            places.push(above.join("release"));
        }
        places.push(above.join("lib"));
        places.push(above.join(format!("lib/{}-linux-gnu", std::env::consts::ARCH)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_where_there_is_one_of_ours() {
        assert_eq!(version(b"x641.52.2-mauve\0yy").as_deref(), Some("1.52.2-mauve"));
        assert_eq!(version(b"1.44.2\0-mauve"), None);
        assert_eq!(version(b"libuv-mauve\0"), None);
    }
}

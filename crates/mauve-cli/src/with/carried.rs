//! The libraries that this command carries: `libuv.so.1`, and the preloaded objects.
//!
//! They are unpacked to a folder of the user, `~/.cache/mauve/VERSION`. A file that is there already is
//! compared with the carried bytes, which is as good as any checksum, and replaced if it differs. A file that
//! was compared gets the time at which this command was installed, so that later runs compare only that.
//! Running programs keep the file that they have loaded.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The name of the object for `LD_PRELOAD`.
pub const REDIRECT: &str = "libmauve-redirect.so";

/// The name of the object that shows programs virtual time.
pub const CLOCK: &str = "libmauve-clock.so";

/// The files: name and content. `build.rs` sets the variables.
const FILES: [(&str, &[u8]); 3] = [
    (super::library::NAME, include_bytes!(env!("MAUVE_LIBUV"))),
    (REDIRECT, include_bytes!(env!("MAUVE_REDIRECT"))),
    (CLOCK, include_bytes!(env!("MAUVE_CLOCK"))),
];

/// The carried `libuv.so.1`.
pub const LIBRARY: &[u8] = FILES[0].1;

/// Unpacks the libraries. Returns their folder.
pub fn unpack() -> Result<PathBuf, String> {
    if FILES.iter().any(|(_, content)| content.is_empty()) {
        return Err("this command was built without libraries for this system".to_owned());
    }
    let mut result = Err("there is no folder for the libraries".to_owned());
    for folder in folders() {
        // Separators of LD_PRELOAD cannot be escaped.
        if folder.as_os_str().as_bytes().iter().any(|byte| b" :".contains(byte)) {
            continue;
        }
        match unpack_to(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => result = Err(format!("{}: {error}", folder.display())),
        }
    }
    result
}

/// The possible folders, the best first.
fn folders() -> Vec<PathBuf> {
    let variable = |name| {
        std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute())
    };
    let home = variable("HOME").map(|home| home.join(".cache"));
    let cache = variable("XDG_CACHE_HOME").or(home).map(|cache| cache.join("mauve"));
    let temporary = std::env::temp_dir().join(format!("mauve-{}", user()));
    let folders = cache.into_iter().chain([temporary]);
    folders.map(|folder| folder.join(env!("CARGO_PKG_VERSION"))).collect()
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn unpack_to(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Who may write to the folder above could replace this one.
    folder.ancestors().take(2).try_for_each(check_owner)?;
    let installed = installed();
    for (name, content) in FILES {
        let path = folder.join(name);
        if File::open(&path).is_ok_and(|file| is_current(file, content, installed)) {
            continue;
        }
        let partial = folder.join(format!("{name}.{}", std::process::id()));
        let mut file = File::create(&partial)?;
        file.write_all(content)?;
        file.set_permissions(Permissions::from_mode(0o755))?;
        installed.map_or(Ok(()), |time| file.set_modified(time))?;
        fs::rename(&partial, &path)?;
    }
    Ok(())
}

/// Checks that only this user may write to a folder, or replace the link that leads to it.
fn check_owner(folder: &Path) -> io::Result<()> {
    let meta = fs::metadata(folder)?;
    let owners = [meta.uid(), fs::symlink_metadata(folder)?.uid()];
    match owners == [user(); 2] && meta.mode() & 0o022 == 0 {
        true => Ok(()),
        false => Err(io::Error::other("other users may write to this folder, or to the one above")),
    }
}

/// Whether a file has this content. It is not read if it was compared since the command was `installed`.
fn is_current(mut file: File, content: &[u8], installed: Option<SystemTime>) -> bool {
    let Ok(meta) = file.metadata() else { return false };
    if meta.len() != content.len() as u64 {
        return false;
    }
    if installed.is_some() && meta.modified().ok() == installed {
        return true;
    }
    let is_equal = is_content(&mut file, content).unwrap_or(false);
    if let Some(time) = installed.filter(|_| is_equal) {
        // Without permission to change it, the file is compared each time.
        let _ = file.set_modified(time);
    }
    is_equal
}

/// When this command was written or changed last, as the file system has it. Programs cannot set that time.
fn installed() -> Option<SystemTime> {
    let file = fs::metadata("/proc/self/exe").ok()?;
    let (seconds, nanoseconds) =
        (file.ctime().try_into().ok()?, file.ctime_nsec().try_into().ok()?);
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

/// Compares a file with this content.
fn is_content(file: &mut File, content: &[u8]) -> io::Result<bool> {
    let mut buffer = [0; 64 << 10];
    let mut rest = content;
    loop {
        let count = file.read(&mut buffer)?;
        match rest.split_at_checked(count) {
            Some((expected, after)) if expected == &buffer[..count] && count > 0 => rest = after,
            _ => return Ok(count == 0 && rest.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_is_replaced() {
        let above = std::env::temp_dir().join(format!("mauve-carried-{}", std::process::id()));
        let folder = above.join("version");
        unpack_to(&folder).expect("unpacked");
        let path = folder.join(REDIRECT);
        let before = fs::read(&path).expect("the object");
        assert!(before.starts_with(b"\x7fELF"));
        let (shorter, longer) = (&before[..before.len() - 1], [&*before, b"x"].concat());
        for other in [&b"something else"[..], b"", shorter, &longer] {
            fs::write(&path, other).expect("written");
            unpack_to(&folder).expect("unpacked again");
            assert_eq!(fs::read(&path).expect("the object"), before);
        }
        // Another build of the command has installed another file of the same length.
        let other = vec![0; before.len()];
        fs::write(&path, other).expect("written");
        let file = File::options().write(true).open(&path).expect("open");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1)).expect("a time");
        unpack_to(&folder).expect("unpacked again");
        assert_eq!(fs::read(&path).expect("the object"), before);
        for shared in [&folder, &above] {
            fs::set_permissions(shared, Permissions::from_mode(0o777)).expect("permissions");
            assert!(unpack_to(&folder).is_err(), "a folder that others may write to");
            fs::set_permissions(shared, Permissions::from_mode(0o700)).expect("permissions");
        }
        assert!(unpack_to(&folder).is_ok());
        let _ = fs::remove_dir_all(above);
    }
}

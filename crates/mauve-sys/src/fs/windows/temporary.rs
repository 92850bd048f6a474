//! Temporary files and directories with unique names.

use std::ffi::{CStr, CString};

use windows_sys::Win32::Foundation::{GENERIC_READ, GENERIC_WRITE};
use windows_sys::Win32::Storage::FileSystem::{CREATE_NEW, FILE_ATTRIBUTE_NORMAL};

use super::{OpenMode, SHARE_ALL, directory};
use crate::descriptor::Descriptor;
use crate::os::random;
use crate::{Errno, Result};

/// What the last characters of a template must be.
const PLACEHOLDER: &[u8] = b"XXXXXX";

/// How many names are tried.
const ATTEMPTS: usize = 1000;

/// Creates a directory. Replaces the last six characters of `template`, which must be `XXXXXX`.
/// Returns the name, and after an error the last name that was tried.
#[doc(alias = "uv_fs_mkdtemp")]
pub fn mkdtemp(template: &CStr) -> (CString, Result<()>) {
    create(template, |name| directory::mkdir(name, 0o700))
}

/// Creates and opens a file. The name is chosen as in [`mkdtemp`].
#[doc(alias = "uv_fs_mkstemp")]
pub fn mkstemp(template: &CStr) -> (CString, Result<Descriptor>) {
    create(template, |name| {
        let access = GENERIC_READ | GENERIC_WRITE;
        let mode = OpenMode {
            access,
            share: SHARE_ALL,
            disposition: CREATE_NEW,
            flags: FILE_ATTRIBUTE_NORMAL,
        };
        mode.open(name).map(Descriptor::from)
    })
}

fn create<T>(template: &CStr, create: impl Fn(&CStr) -> Result<T>) -> (CString, Result<T>) {
    let Some(prefix) = template.to_bytes().strip_suffix(PLACEHOLDER) else {
        return (template.to_owned(), Err(Errno::EINVAL));
    };
    let mut name = template.to_owned();
    for _ in 0..ATTEMPTS {
        match random_name(prefix) {
            Ok(next) => name = next,
            Err(error) => return (name, Err(error)),
        }
        match create(&name) {
            Err(Errno::EEXIST) => {}
            result => return (name, result),
        }
    }
    (name, Err(Errno::EEXIST))
}

fn random_name(prefix: &[u8]) -> Result<CString> {
    const CHARACTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";
    let mut bytes = [0; PLACEHOLDER.len()];
    random::fill(&mut bytes)?;
    let characters = bytes.map(|byte| CHARACTERS[usize::from(byte) % CHARACTERS.len()]);
    CString::new([prefix, &characters].concat()).map_err(|_| Errno::EINVAL)
}

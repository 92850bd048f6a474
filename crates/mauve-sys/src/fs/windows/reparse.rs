//! Reparse points: what a symbolic link, a junction and their relatives contain.
//!
//! The content is a tag of 32 bits, a length of 16, 16 unused bits, and what the tag says. Texts are UTF-16, but for
//! links of the subsystem for Linux.

use std::ffi::CStr;
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::GENERIC_WRITE;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, MAXIMUM_REPARSE_DATA_BUFFER_SIZE,
};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::{FSCTL_GET_REPARSE_POINT, FSCTL_SET_REPARSE_POINT};
use windows_sys::Win32::System::SystemServices::{
    IO_REPARSE_TAG_APPEXECLINK, IO_REPARSE_TAG_MOUNT_POINT, IO_REPARSE_TAG_SYMLINK,
};

use super::{OpenMode, path};
use crate::{Errno, Result};

/// A link of the subsystem for Linux.
const IO_REPARSE_TAG_LX_SYMLINK: u32 = 0xa000_001d;

/// Reads the target of a link, in WTF-8. `EINVAL` for a file that is none.
pub(super) fn target(path: &CStr) -> Result<Vec<u8>> {
    let link = OpenMode::existing(FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT).open(path)?;
    let (mut content, mut size) = (vec![0u8; MAXIMUM_REPARSE_DATA_BUFFER_SIZE as usize], 0);
    // SAFETY: the link is open, and the buffer has the size that is passed.
    let read = unsafe {
        let (at, room) = (content.as_mut_ptr().cast(), MAXIMUM_REPARSE_DATA_BUFFER_SIZE);
        let (code, none) = (FSCTL_GET_REPARSE_POINT, null_mut());
        DeviceIoControl(link.as_raw_handle(), code, none, 0, at, room, &raw mut size, none.cast())
    };
    if read == 0 {
        // Without support for links, the file system does not know the operation.
        return Err(Errno::EINVAL);
    }
    content.truncate(size as usize);
    target_of(&content).ok_or(Errno::EINVAL)
}

/// The target in the content of a link.
fn target_of(content: &[u8]) -> Option<Vec<u8>> {
    let tag = u32::from_le_bytes(content.get(..4)?.try_into().ok()?);
    let data = content.get(8..)?;
    match tag {
        IO_REPARSE_TAG_SYMLINK => Some(path::from_wide(&displayed(&substitute(data, 12)?))),
        IO_REPARSE_TAG_MOUNT_POINT => {
            let name = substitute(data, 8)?;
            // A volume that is mounted at a directory has no letter.
            let is_junction = matches!(name.get(4..7), Some([letter, colon, backslash])
                if u8::try_from(*letter).is_ok_and(|letter| letter.is_ascii_alphabetic())
                    && [*colon, *backslash] == [b':', b'\\'].map(u16::from));
            is_junction.then(|| path::from_wide(&displayed(&name)))
        }
        IO_REPARSE_TAG_LX_SYMLINK => Some(data.get(4..)?.to_vec()),
        IO_REPARSE_TAG_APPEXECLINK => {
            // The count of the texts. The third one is the path of a program.
            let texts = wide(data.get(4..)?);
            let program = texts.split(|unit| *unit == 0).nth(2)?;
            (!program.is_empty()).then(|| path::from_wide(program))
        }
        _ => None,
    }
}

/// The path for the system. Its offset and length are the first numbers, and all paths are at `begin`.
fn substitute(data: &[u8], begin: usize) -> Option<Vec<u16>> {
    let number =
        |at: usize| Some(usize::from(u16::from_le_bytes([*data.get(at)?, *data.get(at + 1)?])));
    let (offset, length) = (begin + number(0)?, number(2)?);
    Some(wide(data.get(offset..offset + length)?))
}

fn wide(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()
}

/// A path of the system as programs write it: without `\??\`.
fn displayed(name: &[u16]) -> Vec<u16> {
    let prefix = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    if let Some(rest) = name.strip_prefix(&prefix(r"\??\UNC\")[..]) {
        return [&prefix(r"\\")[..], rest].concat();
    }
    name.strip_prefix(&prefix(r"\??\")[..]).unwrap_or(name).to_vec()
}

/// The content of a junction to a directory, whose path is absolute: `ENOTSUP` for another one.
fn junction_to(target: &[u16]) -> Result<Vec<u8>> {
    let [backslash, slash, colon] = [b'\\', b'/', b':'].map(u16::from);
    let prefix: Vec<u16> = r"\\?\".encode_utf16().collect();
    let target = target.strip_prefix(&prefix[..]).unwrap_or(target);
    let is_letter = |unit: &u16| u8::try_from(*unit).is_ok_and(|byte| byte.is_ascii_alphabetic());
    let is_absolute = matches!(target, [letter, second, third, ..]
        if is_letter(letter) && *second == colon && [backslash, slash].contains(third));
    if !is_absolute {
        return Err(Errno::ENOTSUP);
    }
    // One separator of each kind is one backslash.
    let mut shown: Vec<u16> = Vec::with_capacity(target.len());
    for &unit in target {
        let unit = if unit == slash { backslash } else { unit };
        if unit != backslash || shown.last() != Some(&backslash) {
            shown.push(unit);
        }
    }
    let internal: Vec<u16> = r"\??\".encode_utf16().chain(shown.iter().copied()).collect();
    let size = |text: &[u16]| u16::try_from(text.len() * 2).map_err(|_| Errno::ENAMETOOLONG);
    let (internal_size, shown_size) = (size(&internal)?, size(&shown)?);
    let names = [internal, vec![0], shown, vec![0]].concat();
    let length = size(&names)?.checked_add(8).ok_or(Errno::ENAMETOOLONG)?;
    let mut content = IO_REPARSE_TAG_MOUNT_POINT.to_le_bytes().to_vec();
    for number in [length, 0, 0, internal_size, internal_size + 2, shown_size] {
        content.extend(number.to_le_bytes());
    }
    content.extend(names.iter().flat_map(|unit| unit.to_le_bytes()));
    Ok(content)
}

/// Creates a junction at `new_path`: a directory that leads to another one.
pub(super) fn create_junction(target: &CStr, new_path: &CStr) -> Result<()> {
    let mut target = path::to_wide(target)?;
    target.pop();
    let content = junction_to(&target)?;
    super::directory::mkdir(new_path, 0)?;
    let flags = FILE_FLAG_OPEN_REPARSE_POINT;
    let made = OpenMode::existing(GENERIC_WRITE, flags)
        .open(new_path)
        .and_then(|junction| set(&junction, &content));
    if made.is_err() {
        let _ = super::directory::rmdir(new_path);
    }
    made
}

fn set(junction: &OwnedHandle, content: &[u8]) -> Result<()> {
    let mut returned = 0;
    // SAFETY: the directory is open, and the content is borrowed during the call.
    let set = unsafe {
        let (at, size) = (content.as_ptr().cast(), content.len() as u32);
        let (code, none) = (FSCTL_SET_REPARSE_POINT, null_mut());
        DeviceIoControl(
            junction.as_raw_handle(),
            code,
            at,
            size,
            none,
            0,
            &raw mut returned,
            none.cast(),
        )
    };
    if set == 0 { Err(Errno::last()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    /// A symbolic link as Windows writes it: the path that is shown comes first.
    fn symlink(internal: &str, shown: &str) -> Vec<u8> {
        let [internal, shown] = [internal, shown].map(utf16);
        let [inner, outer] = [&internal, &shown].map(|text| text.len() as u16 * 2);
        let mut content = IO_REPARSE_TAG_SYMLINK.to_le_bytes().to_vec();
        for number in [12 + inner + outer, 0, outer, inner, 0, outer, 0, 0] {
            content.extend(number.to_le_bytes());
        }
        content.extend([shown, internal].concat().iter().flat_map(|unit| unit.to_le_bytes()));
        content
    }

    #[test]
    fn the_target_of_a_link_is_read() {
        assert_eq!(target_of(&symlink(r"\??\C:\ä", r"C:\ä")).unwrap(), r"C:\ä".as_bytes());
        assert_eq!(target_of(&symlink(r"\??\UNC\h\s", r"\\h\s")).unwrap(), br"\\h\s");
        assert_eq!(target_of(&symlink("a", "a")).unwrap(), b"a");
        assert_eq!(target_of(&symlink("a", "a")[..20]), None);
        let linux =
            [&0xa000_001du32.to_le_bytes()[..], &[9, 0, 0, 0, 2, 0, 0, 0], b"/bin/sh"].concat();
        assert_eq!(target_of(&linux).unwrap(), b"/bin/sh");
        let mut alias = [0x8000_001bu32, 0, 3].map(u32::to_le_bytes).concat();
        alias.extend(
            utf16("package\0entry\0C:\\a.exe\0").iter().flat_map(|unit| unit.to_le_bytes()),
        );
        assert_eq!(target_of(&alias).unwrap(), br"C:\a.exe");
        assert_eq!(target_of(&[1, 2, 3, 0x80, 0, 0, 0, 0]), None);
    }

    #[test]
    fn a_junction_leads_to_an_absolute_path() {
        for path in [r"C:\a\b", r"\\?\C:\a\b", "C://a/b"] {
            let content = junction_to(&utf16(path)).unwrap();
            assert_eq!(target_of(&content).unwrap(), br"C:\a\b");
            let length = u16::from_le_bytes([content[4], content[5]]);
            assert_eq!(usize::from(length), content.len() - 8);
        }
        for path in ["a", r"\a", "C:a", r"\\host\share", ""] {
            assert_eq!(junction_to(&utf16(path)), Err(Errno::ENOTSUP), "{path}");
        }
        let volume = junction_to(&utf16(r"C:\a")).map(|mut content| {
            content[24] = b'!';
            target_of(&content)
        });
        assert_eq!(volume, Ok(None), "the path of a volume has no letter");
    }
}

//! What a program of Windows is started with: one line of arguments, a block of variables, and a path.

use std::cmp::Ordering;
use std::ffi::{CStr, CString};
use std::path::Path;

use crate::fs::path;
use crate::process::ProcessOptions;
use crate::{Errno, Result};

/// Variables that a child gets from this process if its environment lacks them. Many programs do not start
/// without them.
const REQUIRED: &[&str] = &[
    "HOMEDRIVE",
    "HOMEPATH",
    "LOGONSERVER",
    "PATH",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERDOMAIN",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The arguments as one line, which ends with a zero, for programs that split it as the C runtime does. They are
/// not quoted if they are `verbatim`.
pub fn command_line(args: &[CString], verbatim: bool) -> Result<Vec<u16>> {
    let mut line = Vec::new();
    for (number, argument) in args.iter().enumerate() {
        if number > 0 {
            line.push(u16::from(b' '));
        }
        match verbatim {
            true => line.extend(wide(argument)?),
            false => quote(&wide(argument)?, &mut line),
        }
    }
    line.push(0);
    Ok(line)
}

/// Appends an argument. It is quoted if it is empty, or contains spaces or quotes. Backslashes are doubled
/// where a quote follows.
fn quote(argument: &[u16], line: &mut Vec<u16>) {
    let [quote, backslash] = [b'"', b'\\'].map(u16::from);
    let needs = |unit: &u16| [b' ', b'\t', b'\n', 0x0b, b'"'].map(u16::from).contains(unit);
    if !argument.is_empty() && !argument.iter().any(needs) {
        return line.extend_from_slice(argument);
    }
    line.push(quote);
    let mut backslashes = 0;
    for unit in argument {
        if *unit == quote {
            line.extend(std::iter::repeat_n(backslash, backslashes + 1));
        }
        backslashes = if *unit == backslash { backslashes + 1 } else { 0 };
        line.push(*unit);
    }
    line.extend(std::iter::repeat_n(backslash, backslashes));
    line.push(quote);
}

/// The variables as a block, sorted as the system expects it. [Required](REQUIRED) ones are added.
pub fn environment(variables: &[CString]) -> Result<Vec<u16>> {
    let mut all = variables.iter().map(|entry| wide(entry)).collect::<Result<Vec<_>>>()?;
    for name in REQUIRED {
        let is_known = |entry: &Vec<u16>| compare(name_of(entry), &utf16(name)).is_eq();
        let value = std::env::var_os(name).filter(|_| !all.iter().any(is_known));
        if let Some(value) = value {
            let mut entry = std::ffi::OsString::from(format!("{name}="));
            entry.push(value);
            all.push(std::os::windows::ffi::OsStrExt::encode_wide(&*entry).collect());
        }
    }
    // Stable: of two variables with one name, the first one counts.
    all.sort_by(|one, other| compare(name_of(one), name_of(other)));
    let mut block: Vec<u16> =
        all.into_iter().flat_map(|entry| entry.into_iter().chain([0])).collect();
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

/// The name of an entry. That of a drive's directory begins with `=`.
fn name_of(entry: &[u16]) -> &[u16] {
    let end = entry.iter().skip(1).position(|unit| *unit == u16::from(b'='));
    &entry[..end.map_or(entry.len(), |end| end + 1)]
}

/// Compares names without regard to the case of ASCII letters.
fn compare(one: &[u16], other: &[u16]) -> Ordering {
    let upper = |unit: &u16| match u8::try_from(*unit) {
        Ok(byte) => byte.to_ascii_uppercase().into(),
        Err(_) => *unit,
    };
    one.iter().map(upper).cmp(other.iter().map(upper))
}

/// The path of the program, with a zero. A name without a separator is searched for in the working directory of
/// the child, and then in the `PATH` of the child. `.com` and `.exe` are tried for a name without an extension.
pub fn program(options: &ProcessOptions) -> Result<Vec<u16>> {
    let file = path::from_c(&options.file)?;
    let directory = options.cwd.as_deref().map(path::from_c).transpose()?;
    let is_name = file.file_name().is_some_and(|name| name == file.as_os_str());
    let mut folders = vec![directory.map(|path| path.into_owned()).unwrap_or_default()];
    if is_name {
        folders.extend(std::env::split_paths(&search_path(options)?));
    }
    // What the `PATH` has needs an extension, also if the name is exact.
    let mut exact = options.windows.exact_file;
    let names = folders
        .iter()
        .flat_map(|folder| candidates(&folder.join(&file), std::mem::take(&mut exact)));
    let found = names.into_iter().find(|path| path.is_file()).ok_or(Errno::ENOENT)?;
    let wide = std::os::windows::ffi::OsStrExt::encode_wide(found.as_os_str());
    Ok(wide.chain([0]).collect())
}

fn candidates(path: &Path, exact: bool) -> Vec<std::path::PathBuf> {
    let with = |extension: &str| {
        let mut text = path.as_os_str().to_owned();
        text.push(extension);
        text.into()
    };
    let mut all = Vec::new();
    if exact || path.extension().is_some() {
        all.push(path.to_owned());
    }
    if exact {
        return all;
    }
    all.extend([".com", ".exe"].map(with));
    all
}

/// The variable `PATH` of the child.
fn search_path(options: &ProcessOptions) -> Result<std::ffi::OsString> {
    let of_child = options.env.as_ref().and_then(|env| {
        let entry = env.iter().find(|entry| {
            entry.to_bytes().get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"PATH="))
        })?;
        CStr::from_bytes_with_nul(&entry.to_bytes_with_nul()[5..]).ok()
    });
    match of_child {
        Some(value) => Ok(path::from_c(value)?.into_owned().into()),
        None => Ok(std::env::var_os("PATH").unwrap_or_default()),
    }
}

/// A text without its zero.
fn wide(text: &CStr) -> Result<Vec<u16>> {
    let mut wide = path::to_wide(text)?;
    wide.pop();
    Ok(wide)
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A text with a zero.
pub fn terminated(text: &CStr) -> Result<Vec<u16>> {
    path::to_wide(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(args: &[&str]) -> String {
        let args: Vec<_> = args.iter().map(|arg| CString::new(*arg).unwrap()).collect();
        String::from_utf16(&command_line(&args, false).unwrap()).unwrap()
    }

    #[test]
    fn arguments_are_quoted_if_they_need_it() {
        assert_eq!(line(&["a", "b c", ""]), "a \"b c\" \"\"\0");
        assert_eq!(line(&[r"C:\a\b\", r"C:\a b\"]), "C:\\a\\b\\ \"C:\\a b\\\\\"\0");
        assert_eq!(line(&["say \"hi\"", r#"a\"b"#]), "\"say \\\"hi\\\"\" \"a\\\\\\\"b\"\0");
    }

    #[test]
    fn the_environment_is_sorted_and_has_what_programs_need() {
        let variables = ["b=2", "A=1", "=C:=C:\\x"].map(|entry| CString::new(entry).unwrap());
        let block = String::from_utf16(&environment(&variables).unwrap()).unwrap();
        let entries: Vec<_> = block.trim_end_matches('\0').split('\0').collect();
        assert!(block.ends_with("\0\0"));
        assert_eq!(entries[..3], ["=C:=C:\\x", "A=1", "b=2"]);
        assert!(entries.iter().any(|entry| entry.to_uppercase().starts_with("SYSTEMROOT=")));
        let own = [CString::new("systemroot=X").unwrap()];
        let block = String::from_utf16(&environment(&own).unwrap()).unwrap().to_uppercase();
        assert_eq!(block.matches("SYSTEMROOT=").count(), 1);
    }

    #[test]
    fn a_program_is_found_without_its_extension() {
        let found = program(&ProcessOptions::new(c"cmd".into())).unwrap();
        assert!(String::from_utf16(&found).unwrap().to_lowercase().ends_with("cmd.exe\0"));
        let missing = ProcessOptions::new(c"no-such-program-of-mauve".into());
        assert_eq!(program(&missing), Err(Errno::ENOENT));
        let mut exact = ProcessOptions::new(c"cmd.exe".into());
        exact.windows.exact_file = true;
        assert_eq!(program(&exact), program(&ProcessOptions::new(c"cmd".into())));
    }
}

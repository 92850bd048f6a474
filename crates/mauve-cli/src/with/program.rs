//! Finds the program, and the interpreter if it is a script.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::Refusal;

/// The maximum depth of scripts whose interpreters are scripts.
const MAX_SCRIPTS: usize = 4;

const SET_ID: u32 = 0o6000;

/// A program.
pub struct Program {
    /// The executed file.
    pub path: PathBuf,
    /// The binary that the loader loads: the program itself, or the interpreter of a script.
    pub binary: PathBuf,
}

impl Program {
    /// Finds a program as a shell does, and follows the `#!` lines of scripts.
    pub fn find(name: &OsStr) -> Result<Self, Refusal> {
        let path = look_up(name)?;
        let mut binary = path.clone();
        for _ in 0..MAX_SCRIPTS {
            check(&binary)?;
            match interpreter(&binary)? {
                Some(interpreter) => binary = interpreter,
                None => return Ok(Self { path, binary }),
            }
        }
        let shown = path.display();
        Err(Refusal::NotExecutable(format!("{shown}: too many nested scripts")))
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        if self.path == self.binary {
            return self.path.display().to_string();
        }
        format!("{}, which runs {}", self.binary.display(), self.path.display())
    }
}

fn look_up(name: &OsStr) -> Result<PathBuf, Refusal> {
    let not_found = || Refusal::NotFound(format!("{}: not found", name.display()));
    if name.as_bytes().contains(&b'/') {
        let path = PathBuf::from(name);
        return if path.exists() { Ok(path) } else { Err(not_found()) };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&path).map(|folder| folder.join(name));
    files.into_iter().find(|file| is_executable(file)).ok_or_else(not_found)
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Checks that it is executable, and gets no more rights than its user has.
fn check(path: &Path) -> Result<(), Refusal> {
    let shown = path.display();
    if !is_executable(path) {
        return Err(Refusal::NotExecutable(format!("{shown}: not executable")));
    }
    let mode = fs::metadata(path).map_or(0, |file| file.permissions().mode());
    let rights = if mode & SET_ID != 0 {
        "is setuid or setgid"
    } else if has_capabilities(path) && !rustix::process::getuid().is_root() {
        "has file capabilities (setcap)"
    } else {
        return Ok(());
    };
    Err(Refusal::Impossible(format!(
        "{shown} {rights}: the loader ignores LD_PRELOAD and LD_LIBRARY_PATH; run a copy without these rights"
    )))
}

/// Whether `setcap` has given a file rights. They are no more than those of root.
fn has_capabilities(path: &Path) -> bool {
    let mut value = [0; 64];
    rustix::fs::getxattr(path, c"security.capability", &mut value).is_ok()
}

/// The interpreter of a script; `None` if the file is not a script.
fn interpreter(path: &Path) -> Result<Option<PathBuf>, Refusal> {
    let mut line = [0; 256];
    let read = fs::File::open(path).and_then(|mut file| file.read(&mut line));
    let length = read.map_err(|e| Refusal::NotExecutable(format!("{}: {e}", path.display())))?;
    let Some(line) = line[..length].strip_prefix(b"#!") else { return Ok(None) };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return Ok(None) };
    let first = Path::new(OsStr::from_bytes(first));
    if first.file_name() != Some(OsStr::new("env")) {
        return Ok(Some(first.to_owned()));
    }
    // `env` runs the first argument that is neither an option nor a variable.
    let program = words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='));
    match program {
        Some(program) => look_up(&OsString::from(OsStr::from_bytes(program))).map(Some),
        None => Ok(Some(first.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_not_found() {
        let missing = Program::find(OsStr::new("no-such-program"));
        assert!(matches!(missing, Err(Refusal::NotFound(_))));
        assert!(matches!(Program::find(OsStr::new("/")), Err(Refusal::NotExecutable(_))));
    }
}

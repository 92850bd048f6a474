//! The dynamic loader: what it would load for a program, and the variables that make it load mauve.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Refusal;
use super::image::{Image, Libuv};
use super::library::{Library, NAME};
use super::program::Program;

/// The environment variables that make a program use mauve, and the result.
pub struct Plan {
    variables: Vec<(&'static str, OsString)>,
    pub resolution: Resolution,
}

/// The program's libuv.
pub enum Resolution {
    /// The program or one of its libraries is linked with libuv, and loads mauve.
    Loaded,
    /// This file, the program or one of its libraries, has another libuv. Its functions are redirected.
    Redirected(PathBuf),
    /// The program is not linked with libuv. `builtin` if it seems to contain one.
    Later { builtin: bool },
}

impl Plan {
    pub fn apply(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

/// Determines the environment variables that make the program load mauve, and be redirected to it by the
/// object `redirect` where it has another libuv. Child processes inherit them.
pub fn plan(
    program: &Program,
    image: &Image,
    library: &Library,
    redirect: &Path,
) -> Result<Plan, Refusal> {
    let name = program.binary.display();
    let Some(loader) = &image.loader else {
        return Err(Refusal::Impossible(format!(
            "{name} is statically linked: it loads no libraries"
        )));
    };
    let is_musl = |name: &OsStr| name.as_encoded_bytes().starts_with(b"ld-musl");
    if cfg!(not(target_env = "musl")) && loader.file_name().is_some_and(is_musl) {
        return Err(Refusal::Impossible(format!(
            "{name} is for musl, and this command carries libraries for glibc"
        )));
    }
    if image.libuv == Libuv::Hidden {
        return Err(Refusal::Impossible(format!(
            "{name} has libuv linked in, but does not export its functions, so they cannot be \
             redirected: link it with -rdynamic, or with a shared libuv"
        )));
    }
    let folder = library.folder().map(|folder| prepend("LD_LIBRARY_PATH", folder.as_os_str(), ":"));
    let mut variables = vec![
        ("LD_PRELOAD", prepend("LD_PRELOAD", redirect.as_os_str(), " ")),
        ("MAUVE_LIB", library.path.as_os_str().to_owned()),
    ];
    variables.extend(folder.map(|folder| ("LD_LIBRARY_PATH", folder)));
    let mut plan = Plan { variables, resolution: Resolution::Loaded };
    if image.libuv == Libuv::Exported {
        plan.resolution = Resolution::Redirected(program.binary.clone());
        return Ok(plan);
    }
    let found = loads(loader, program, &plan)?;
    plan.resolution = match found.libuv {
        Some(path) if same(&path, &library.path) => Resolution::Loaded,
        // The program's RPATH precedes LD_LIBRARY_PATH.
        Some(path) => Resolution::Redirected(path),
        None => match found.others.iter().find(|path| Image::exports_libuv(path)) {
            Some(path) => Resolution::Redirected(path.clone()),
            None => Resolution::Later { builtin: image.libuv == Libuv::Mentioned },
        },
    };
    Ok(plan)
}

/// The libraries that the loader would load for a program.
struct Loads {
    libuv: Option<PathBuf>,
    others: Vec<PathBuf>,
}

/// Lists the libraries of a program with `ld.so --list`.
fn loads(loader: &Path, program: &Program, plan: &Plan) -> Result<Loads, Refusal> {
    let mut command = Command::new(loader);
    command.arg("--list").arg(&program.binary);
    plan.apply(&mut command);
    let output = command.output();
    let output =
        output.map_err(|e| Refusal::NotExecutable(format!("{}: {e}", loader.display())))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(Refusal::NotExecutable(format!(
            "{}: {}",
            program.binary.display(),
            why.trim()
        )));
    }
    Ok(parse(&String::from_utf8_lossy(&output.stdout)))
}

/// Parses lines like `libuv.so.1 => /usr/lib/libuv.so.1 (0x00007f...)`. For a preloaded library, the
/// line has only the path, and there is no other line with its soname.
fn parse(listed: &str) -> Loads {
    let mut loads = Loads { libuv: None, others: Vec::new() };
    for line in listed.lines() {
        let line = line.trim();
        let line = line.rsplit_once(" (").map_or(line, |(line, _)| line);
        let (name, path) = line.split_once(" => ").unwrap_or((line, line));
        let file = Path::new(name).file_name().unwrap_or_default();
        if !path.starts_with('/') {
            continue;
        }
        if file == OsStr::new(NAME) || file == OsStr::new("libuv.so") {
            loads.libuv = Some(path.into());
        } else {
            loads.others.push(path.into());
        }
    }
    loads
}

fn same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| one == other)
}

/// The value of an environment variable with `value` prepended.
fn prepend(variable: &str, value: &OsStr, separator: &str) -> OsString {
    let mut joined = value.to_owned();
    if let Some(before) = std::env::var_os(variable).filter(|before| !before.is_empty()) {
        joined.push(separator);
        joined.push(before);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_the_loader_is_parsed() {
        let loads = parse(
            "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibuv.so.1 => /opt/a b/libuv.so.1 (0x0000)\n\
             \tlibc.so.6 => /lib/libc.so.6 (0x0000)\n\t/lib64/ld-linux-x86-64.so.2 (0x0000)\n",
        );
        assert_eq!(loads.libuv.as_deref(), Some(Path::new("/opt/a b/libuv.so.1")));
        let others = ["/lib/libc.so.6", "/lib64/ld-linux-x86-64.so.2"].map(PathBuf::from);
        assert_eq!(loads.others, others);
    }
}

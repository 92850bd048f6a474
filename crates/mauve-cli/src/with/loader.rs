//! The dynamic loader: lists what it would load, and selects the library.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Refusal;
use super::image::Image;
use super::library::Library;
use super::program::Program;

/// The soname of libuv.
const NAME: &str = "libuv.so.1";

/// The environment variables that make the loader use mauve, and the result.
pub struct Plan {
    search_path: Option<OsString>,
    preload: Option<OsString>,
    pub resolution: Resolution,
}

/// The program's libuv.
pub enum Resolution {
    /// The program or one of its libraries is linked with libuv, and loads mauve.
    Ours,
    /// The program is not linked with libuv. `builtin` if it seems to contain one.
    Later { builtin: bool },
}

impl Plan {
    pub fn apply(&self, command: &mut Command) {
        if let Some(path) = &self.search_path {
            command.env("LD_LIBRARY_PATH", path);
        }
        if let Some(preload) = &self.preload {
            command.env("LD_PRELOAD", preload);
        }
    }
}

/// Determines the environment variables that make the program load mauve.
pub fn plan(program: &Program, library: &Library) -> Result<Plan, Refusal> {
    let name = program.binary.display();
    let image = Image::read(&program.binary).map_err(Refusal::NotExecutable)?;
    if image.defines_libuv {
        return Err(Refusal::Impossible(format!(
            "{name} has libuv built in, which cannot be replaced"
        )));
    }
    let Some(loader) = &image.loader else {
        return Err(Refusal::Impossible(format!(
            "{name} is statically linked: it loads no libraries"
        )));
    };
    // Prefers the search path to preloading: child processes inherit the environment, and would
    // preload a library that they do not need.
    let folder = library.folder().map(|folder| prepend("LD_LIBRARY_PATH", folder.as_os_str(), ":"));
    let mut plan = Plan { search_path: folder, preload: None, resolution: Resolution::Ours };
    let mut found = loads(loader, program, &plan)?;
    let is_ours =
        |found: &Loads| found.libuv.as_ref().is_some_and(|path| same(path, &library.path));
    if plan.search_path.is_none() || found.libuv.is_some() && !is_ours(&found) {
        // The program's RPATH precedes LD_LIBRARY_PATH.
        plan.preload = Some(prepend("LD_PRELOAD", library.path.as_os_str(), " "));
        found = loads(loader, program, &plan)?;
    }
    if let Some(other) = found.others.iter().find(|path| defines_libuv(path)) {
        return Err(Refusal::Impossible(format!(
            "{}, a library of {name}, has libuv built in, which cannot be replaced",
            other.display()
        )));
    }
    match &found.libuv {
        Some(_) if is_ours(&found) => Ok(plan),
        Some(path) => Err(Refusal::Impossible(format!(
            "{name} loads {}: the loader cannot be made to load {}",
            path.display(),
            library.path.display()
        ))),
        None => {
            plan.resolution = Resolution::Later { builtin: image.mentions_libuv };
            Ok(plan)
        }
    }
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

fn defines_libuv(path: &Path) -> bool {
    Image::read(path).is_ok_and(|image| image.defines_libuv)
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

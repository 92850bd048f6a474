//! Builds the contenders: the libraries, the C programs and the Rust program of peers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::libuv::Source;
use super::workloads::Profile;
use crate::{root, target};

/// Which libuv is the peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest, built from source.
    Newest,
    /// The system's, such as Debian's libuv1.
    System,
    /// The `libuv.so.1` of this folder.
    In(PathBuf),
}

/// The time limit of a run.
const TIMEOUT: Duration = Duration::from_secs(90);

/// The libraries, the program of Rust peers, and the C programs.
pub struct Peers {
    /// The folder of the peer's `libuv.so.1`; `None` selects the system's.
    pub libuv: Option<PathBuf>,
    /// The folder of our library.
    pub ours: PathBuf,
    headers: Option<PathBuf>,
    rust: RefCell<BTreeMap<&'static str, PathBuf>>,
    programs: RefCell<BTreeMap<&'static str, PathBuf>>,
}

impl Peers {
    /// Builds the libraries. Programs are built on first use.
    pub fn build(which: &Which) -> Result<Self, String> {
        let ours = our_library()?;
        let source = Source::fetch();
        let headers = source.as_ref().ok().map(Source::headers);
        let libuv = match (which, source) {
            (Which::In(folder), _) => Some(folder.clone()),
            (Which::System, _) => None,
            (Which::Newest, Ok(source)) => Some(built(&source)?),
            (Which::Newest, Err(why)) => {
                println!("the newest libuv cannot be built, using the system's: {why}");
                None
            }
        };
        let (rust, programs) = (RefCell::default(), RefCell::default());
        Ok(Self { libuv, ours, headers, rust, programs })
    }

    /// The C program `name` of `benches/c`.
    pub fn program(&self, name: &'static str) -> Result<PathBuf, String> {
        if let Some(binary) = self.programs.borrow().get(name) {
            return Ok(binary.clone());
        }
        let binary = self.compile(&root().join("benches/c").join(format!("{name}.c")))?;
        self.programs.borrow_mut().insert(name, binary.clone());
        Ok(binary)
    }

    /// The program of Rust peers, and the load generator.
    pub fn rust(&self, profile: Profile) -> Result<PathBuf, String> {
        let profile = match profile {
            Profile::Whole => "release",
            Profile::Default => "default-release",
        };
        if let Some(program) = self.rust.borrow().get(profile) {
            return Ok(program.clone());
        }
        let build = target().join("peers");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        // Not locked: the peers' lock file repeats the dependencies of our crates and may lag behind.
        cargo.args(["build", "--profile", profile, "--quiet", "-p", "peers"]);
        cargo.arg("--manifest-path").arg(root().join("benches/peers/Cargo.toml"));
        quietly(cargo.env("CARGO_TARGET_DIR", &build))?;
        let program = build.join(profile).join("peers");
        self.rust.borrow_mut().insert(profile, program.clone());
        Ok(program)
    }

    /// The version string of a library.
    pub fn version(&self, library: Option<&Path>) -> Result<String, String> {
        let source = folder()?.join("version.c");
        let text =
            "#include <stdio.h>\n#include <uv.h>\nint main(void) { puts(uv_version_string()); }";
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        let mut command = Command::new(self.compile(&source)?);
        on_library(&mut command, library);
        bounded(&mut command).map(|text| text.trim().to_owned())
    }

    fn compile(&self, source: &Path) -> Result<PathBuf, String> {
        let folder = folder()?.join("c");
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let parent = source.parent().and_then(Path::file_name).unwrap_or_default();
        let stem = source.file_stem().unwrap_or_default();
        let binary =
            folder.join(format!("{}-{}", parent.to_string_lossy(), stem.to_string_lossy()));
        let mut command = compiler();
        command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-pthread"]);
        command.args(self.headers.iter().map(|headers| format!("-I{}", headers.display())));
        command.arg("-I").arg(root().join("benches/c")).arg(source).arg("-o").arg(&binary);
        // LD_LIBRARY_PATH selects the library at run time.
        quietly(command.arg(self.ours.join("libuv.so.1")))?;
        Ok(binary)
    }
}

/// Builds the newest libuv, unless it is up to date. Returns its folder.
pub fn newest_libuv() -> Result<PathBuf, String> {
    Source::fetch().and_then(|source| built(&source))
}

/// Builds a libuv into its folder, unless it is up to date.
fn built(source: &Source) -> Result<PathBuf, String> {
    let folder = folder()?.join("libuv");
    source.build(&folder)?;
    Ok(folder)
}

/// The folder for everything that a run builds.
pub fn folder() -> Result<PathBuf, String> {
    let folder = target().join("bench");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// Makes a command load this library, or the system's.
pub fn on_library(command: &mut Command, library: Option<&Path>) {
    command.env_remove("LD_LIBRARY_PATH").env_remove("UV_THREADPOOL_SIZE");
    if let Some(library) = library {
        command.env("LD_LIBRARY_PATH", library);
    }
}

/// The folder of our library, which `cargo xtask bench` has built.
pub fn our_library() -> Result<PathBuf, String> {
    let folder = std::env::var_os("MAUVE_LIBRARY")
        .ok_or("MAUVE_LIBRARY is not set: run `cargo xtask bench`")?;
    Ok(folder.into())
}

/// The system's C compiler.
pub fn compiler() -> Command {
    Command::new(std::env::var_os("CC").unwrap_or("cc".into()))
}

/// Runs a command to its end and returns its output. A failure returns its error output.
pub fn quietly(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    succeeded(&name, command.output())
}

/// As [`quietly`], for a command with little output. It is killed after [`TIMEOUT`].
pub fn bounded(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("{name}: {e}"))?;
    let begin = Instant::now();
    while child.try_wait().map_err(|e| format!("{name}: {e}"))?.is_none() {
        if begin.elapsed() > TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name} timed out after {} s", TIMEOUT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    succeeded(&name, child.wait_with_output())
}

/// The output of a command that has succeeded. A failure returns its error output.
fn succeeded(name: &str, output: std::io::Result<Output>) -> Result<String, String> {
    let output = output.map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}\n{}", output.status, errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

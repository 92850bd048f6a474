//! Runs scripts with the interpreter, on libuv or on mauve.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::build::{compiler, quietly};
use crate::{files, root};

/// The interpreter, and the two libraries.
pub struct Runner {
    interpreter: PathBuf,
    /// The folder with libuv. `None` selects the system's.
    libuv: Option<PathBuf>,
    /// The folder with the library under test.
    ours: PathBuf,
}

/// The library that a script runs on.
#[derive(Clone, Copy)]
pub enum Library {
    Libuv,
    Mauve,
}

impl Runner {
    /// Compiles the interpreter.
    pub fn build(libuv: Option<PathBuf>, ours: PathBuf) -> Result<Self, String> {
        let folder = root().join("xtask/fuzz");
        let interpreter = super::folder()?.join("interpreter");
        let mut command = compiler();
        command.args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-pthread"]);
        command.arg("-I").arg(root().join("crates/mauve-uv/include"));
        command.args(files::with_extension(&folder, "c")?);
        // LD_LIBRARY_PATH selects the library at run time.
        quietly(command.arg(ours.join("libuv.so.1")).arg("-o").arg(&interpreter).arg("-lutil"))?;
        Ok(Self { interpreter, libuv, ours })
    }

    /// Returns the trace of a script: the interpreter's output, and its exit status if it failed.
    pub fn trace(&self, library: Library, script: &str) -> Result<String, String> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(&self.interpreter);
        command.env_remove("LD_LIBRARY_PATH");
        command.envs(self.folder(library).map(|folder| ("LD_LIBRARY_PATH", folder)));
        command.env("UV_THREADPOOL_SIZE", "1").current_dir(&scratch.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawned = command.spawn().map_err(|e| format!("{}: {e}", self.interpreter.display()));
        let mut child = spawned?;
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(script.as_bytes()).map_err(|e| format!("the interpreter: {e}"))?;
        drop(input);
        let output = child.wait_with_output().map_err(|e| format!("the interpreter: {e}"))?;
        let mut trace = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.code() {
            Some(0) => {}
            Some(code @ (2 | 3)) => {
                let errors = String::from_utf8_lossy(&output.stderr);
                return Err(format!("the interpreter exited with {code}: {errors}\n{script}"));
            }
            _ => {
                trace += &String::from_utf8_lossy(&output.stderr);
                trace += &format!("\n{}\n", output.status);
            }
        }
        Ok(trace)
    }

    /// The shell command that runs a script.
    pub fn command(&self, library: Library, script: &Path) -> String {
        let variable =
            self.folder(library).map(|folder| format!("LD_LIBRARY_PATH={} ", folder.display()));
        format!(
            "{}UV_THREADPOOL_SIZE=1 {} < {}",
            variable.unwrap_or_default(),
            self.interpreter.display(),
            script.display()
        )
    }

    fn folder(&self, library: Library) -> Option<&Path> {
        match library {
            Library::Libuv => self.libuv.as_deref(),
            Library::Mauve => Some(&self.ours),
        }
    }
}

/// An empty folder for one run.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("scratch-{}-{number}", std::process::id());
        Ok(Self(files::create_empty(super::folder()?.join(name))?))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

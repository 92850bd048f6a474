//! Runs scripts with the interpreter, on one library or the other.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::build::{compiler, quietly};
use crate::root;

/// The interpreter, and the two libraries.
pub struct Runner {
    interpreter: PathBuf,
    /// The folder with libuv; without, it is the system's.
    libuv: Option<PathBuf>,
    /// The folder with the library that is tested.
    ours: PathBuf,
}

/// Which library a script runs on.
#[derive(Clone, Copy)]
pub enum On {
    Libuv,
    Ours,
}

impl Runner {
    /// Compiles the interpreter.
    pub fn build(libuv: Option<PathBuf>, ours: PathBuf) -> Result<Self, String> {
        let folder = root().join("xtask/fuzz");
        let interpreter = super::folder()?.join("interpreter");
        let mut command = compiler();
        command.args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-pthread"]);
        command.arg("-I").arg(root().join("crates/mauve-uv/include"));
        let entries =
            std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        command.args(files.filter(|file| file.extension().is_some_and(|end| end == "c")));
        // Which library it is, is decided when it runs.
        quietly(command.arg(ours.join("libuv.so.1")).arg("-o").arg(&interpreter).arg("-lutil"))?;
        Ok(Self { interpreter, libuv, ours })
    }

    /// The trace of a script: what the interpreter printed, and how it ended if not well.
    pub fn trace(&self, on: On, script: &str) -> Result<String, String> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(&self.interpreter);
        command.env_remove("LD_LIBRARY_PATH");
        command.envs(self.library(on).map(|library| ("LD_LIBRARY_PATH", library)));
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
                return Err(format!("the interpreter ended with {code}: {errors}\n{script}"));
            }
            _ => {
                trace += &String::from_utf8_lossy(&output.stderr);
                trace += &format!("\n{}\n", output.status);
            }
        }
        Ok(trace)
    }

    /// The command that runs a script by hand.
    pub fn command(&self, on: On, script: &Path) -> String {
        let library =
            self.library(on).map(|folder| format!("LD_LIBRARY_PATH={} ", folder.display()));
        format!(
            "{}UV_THREADPOOL_SIZE=1 {} < {}",
            library.unwrap_or_default(),
            self.interpreter.display(),
            script.display()
        )
    }

    fn library(&self, on: On) -> Option<&Path> {
        match on {
            On::Libuv => self.libuv.as_deref(),
            On::Ours => Some(&self.ours),
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
        let folder = super::folder()?.join(name);
        std::fs::create_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! Runs programs with a time limit.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::files;

/// A running program, in its own process group.
pub struct Process {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Process {
    /// Starts `command` in `folder`. Its outputs go to files there.
    pub fn start(command: &mut Command, folder: &Path) -> Result<Self, String> {
        command.current_dir(folder);
        Self::start_elsewhere(command, folder)
    }

    /// As [`start`](Self::start), in the folder that the command has, with the files in `folder`.
    pub fn start_elsewhere(command: &mut Command, folder: &Path) -> Result<Self, String> {
        // Files, not pipes: a pipe stays open as long as any descendant has it, and a full one blocks.
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| folder.join(name));
        let create = |path: &Path| files::at(path, File::create(path));
        command.stdin(Stdio::null()).stdout(create(&stdout)?).stderr(create(&stderr)?);
        let child = command.process_group(0).spawn();
        let child = child.map_err(|e| format!("{}: {e}", command.get_program().display()))?;
        Ok(Self { child, stdout, stderr })
    }

    /// The output so far, and then the error output.
    pub fn output(&self) -> String {
        text(&self.stdout) + &text(&self.stderr)
    }

    /// Waits until the output contains `text`.
    pub fn await_output(&mut self, text: &str, timeout: Duration) -> Result<(), String> {
        let begin = Instant::now();
        while !self.output().contains(text) {
            if self.exit_status()?.is_some() || begin.elapsed() > timeout {
                return Err(format!("{text:?} is not in\n{}", self.output()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Checks that it has mapped `library`, and no other libuv.
    pub fn check_library(&self, library: &Path) -> Result<(), String> {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.child.id()));
        let maps = maps.map_err(|e| e.to_string())?;
        let paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
        let mut mapped: Vec<&str> = paths.filter(|path| path.contains("/libuv.so")).collect();
        mapped.dedup();
        let ours = mapped.iter().map(Path::new).eq([library]);
        if ours { Ok(()) } else { Err(format!("has not loaded mauve, but {mapped:?}")) }
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        signal("-TERM", &self.child.id().to_string());
    }

    /// The exit status, or `None` if it is running.
    pub fn exit_status(&mut self) -> Result<Option<ExitStatus>, String> {
        self.child.try_wait().map_err(|e| e.to_string())
    }

    /// Waits for a successful exit. Returns the output.
    pub fn succeed(self, timeout: Duration) -> Result<String, String> {
        self.exit(0, timeout)
    }

    /// Waits for an exit with `code`. Returns the output.
    pub fn exit(mut self, code: i32, timeout: Duration) -> Result<String, String> {
        self.wait(code, timeout)?;
        Ok(self.output())
    }

    /// Waits for a successful exit. Returns the output and the error output.
    pub fn outputs(mut self, timeout: Duration) -> Result<[String; 2], String> {
        self.wait(0, timeout)?;
        Ok([text(&self.stdout), text(&self.stderr)])
    }

    fn wait(&mut self, code: i32, timeout: Duration) -> Result<(), String> {
        let begin = Instant::now();
        let problem = loop {
            match self.exit_status()? {
                Some(status) if status.code() == Some(code) => return Ok(()),
                Some(status) => break status.to_string(),
                None if begin.elapsed() > timeout => {
                    break format!("timed out after {} s", timeout.as_secs());
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        Err(format!("{problem}\n{}", self.output()))
    }
}

/// Kills the process group.
impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            signal("-KILL", &format!("-{}", self.child.id()));
            let _ = self.child.wait();
        }
    }
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

fn signal(signal: &str, to: &str) {
    let _ = Command::new("kill").args([signal, "--", to]).status();
}

//! Runs a program with a timeout.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running program, in its own process group.
pub struct Process {
    child: Child,
    output: PathBuf,
}

impl Process {
    /// Starts `command` in `folder`. Its output goes to a file there.
    pub fn start(command: &mut Command, folder: &Path) -> Result<Self, String> {
        // A file, not a pipe: a pipe stays open as long as any descendant has it.
        let output = folder.join("output");
        let file = File::create(&output).map_err(|e| format!("{}: {e}", output.display()))?;
        let errors = file.try_clone().map_err(|e| e.to_string())?;
        command.current_dir(folder).process_group(0);
        command.stdin(Stdio::null()).stdout(file).stderr(errors);
        let child = command.spawn();
        let child = child.map_err(|e| format!("{}: {e}", command.get_program().display()))?;
        Ok(Self { child, output })
    }

    /// The output so far.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.output).unwrap_or_default()).into_owned()
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
        let begin = Instant::now();
        let problem = loop {
            match self.exit_status()? {
                Some(status) if status.code() == Some(code) => return Ok(self.output()),
                Some(status) => break status.to_string(),
                None if begin.elapsed() > timeout => {
                    break format!("timed out after {} s", timeout.as_secs());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
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

fn signal(signal: &str, to: &str) {
    let _ = Command::new("kill").args([signal, "--", to]).status();
}

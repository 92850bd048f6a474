//! Running a program to its end, or to the end of our patience.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A program that runs, in a process group of its own.
pub struct Process {
    child: Child,
    output: PathBuf,
}

impl Process {
    /// Starts `command` in `folder`; what it prints goes to a file there.
    pub fn start(command: &mut Command, folder: &Path) -> Result<Self, String> {
        // Into a file: a pipe that a forgotten grandchild holds would never end.
        let output = folder.join("output");
        let file = File::create(&output).map_err(|e| format!("{}: {e}", output.display()))?;
        let errors = file.try_clone().map_err(|e| e.to_string())?;
        command.current_dir(folder).process_group(0);
        command.stdin(Stdio::null()).stdout(file).stderr(errors);
        let child = command.spawn();
        let child = child.map_err(|e| format!("{}: {e}", command.get_program().display()))?;
        Ok(Self { child, output })
    }

    /// What it has printed so far.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.output).unwrap_or_default()).into_owned()
    }

    /// Waits until it has printed `text`.
    pub fn await_output(&mut self, text: &str, patience: Duration) -> Result<(), String> {
        let begin = Instant::now();
        while !self.output().contains(text) {
            if self.ended()?.is_some() || begin.elapsed() > patience {
                return Err(format!("{text:?} is not in\n{}", self.output()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Whether it has mapped `library`, and no other file of that name.
    pub fn is_on(&self, library: &Path) -> Result<(), String> {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.child.id()));
        let maps = maps.map_err(|e| e.to_string())?;
        let paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
        let mut mapped: Vec<&str> = paths.filter(|path| path.contains("/libuv.so")).collect();
        mapped.dedup();
        let ours = mapped.iter().map(Path::new).eq([library]);
        if ours { Ok(()) } else { Err(format!("mapped is not our library, but {mapped:?}")) }
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        signal("-TERM", &self.child.id().to_string());
    }

    /// How it ended; `None` if it still runs.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, String> {
        self.child.try_wait().map_err(|e| e.to_string())
    }

    /// Waits for the end, which is to be a success. Returns what it printed.
    pub fn succeed(self, patience: Duration) -> Result<String, String> {
        self.exit(0, patience)
    }

    /// Waits for the end, which is to be an exit with `code`. Returns what it printed.
    pub fn exit(mut self, code: i32, patience: Duration) -> Result<String, String> {
        let begin = Instant::now();
        let problem = loop {
            match self.ended()? {
                Some(status) if status.code() == Some(code) => return Ok(self.output()),
                Some(status) => break status.to_string(),
                None if begin.elapsed() > patience => {
                    break format!("not done after {} s", patience.as_secs());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        Err(format!("{problem}\n{}", self.output()))
    }
}

/// Whoever drops it is done with it, and with what it has started.
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

//! One check of a program. It prints one line.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::process::Process;

/// The time limit of a check. Most need less than a second.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The result of a check.
pub enum Verdict {
    Passed,
    Failed,
    /// The reason.
    Skipped(String),
}

/// A title and a function that returns the error.
pub struct Check {
    title: String,
    work: Box<dyn FnOnce() -> Result<(), String>>,
}

impl Check {
    pub fn new(
        title: impl Into<String>,
        work: impl FnOnce() -> Result<(), String> + 'static,
    ) -> Self {
        Self { title: title.into(), work: Box::new(work) }
    }

    /// A check that a script performs inside the program. The script checks the library and its
    /// results, and prints `all done` last. That line is missing if the loop stops before its work is done.
    pub fn script(title: impl Into<String>, mut command: Command, folder: PathBuf) -> Self {
        Self::new(title, move || {
            let output = Process::start(&mut command, &folder)?.succeed(TIMEOUT)?;
            let done = output.lines().any(|line| line.trim_end() == "all done");
            if done { Ok(()) } else { Err(format!("exited before it was done\n{output}")) }
        })
    }

    pub fn run(self, program: &str) -> Verdict {
        match (self.work)() {
            Ok(()) => {
                println!("ok {program}: {}", self.title);
                Verdict::Passed
            }
            Err(why) => {
                println!("FAILED {program}: {}", self.title);
                why.lines().for_each(|line| println!("    {line}"));
                Verdict::Failed
            }
        }
    }
}

//! One thing tried with a program, and its line of output.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::process::Process;

/// The longest that a check may take; most need less than a second.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How a check went.
pub enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// A title and the work. The work returns what went wrong.
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

    /// A check that a script makes inside the program: it verifies the library and the results,
    /// and prints `all done` at its end. A loop that stops too early ends the program without an
    /// error, but also without that line.
    pub fn script(title: impl Into<String>, mut command: Command, folder: PathBuf) -> Self {
        Self::new(title, move || {
            let output = Process::start(&mut command, &folder)?.succeed(PATIENCE)?;
            let done = output.lines().any(|line| line.trim_end() == "all done");
            if done { Ok(()) } else { Err(format!("ended before it was done\n{output}")) }
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

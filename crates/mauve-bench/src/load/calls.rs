//! System calls of a process, counted by `perf`, or by `strace` where that may not.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How long perf takes to be at the process; it does not say when it is.
const PERF_ATTACHES: Duration = Duration::from_millis(200);

/// Somebody who watches a process.
pub(super) struct Counter {
    tool: Tool,
    child: Child,
}

#[derive(Clone, Copy)]
enum Tool {
    Perf,
    Strace,
}

impl Counter {
    /// Begins to count; `None` if nothing here can.
    pub fn attach(process: u32) -> Option<Self> {
        Self::perf(process).or_else(|| Self::strace(process))
    }

    fn perf(process: u32) -> Option<Self> {
        let mut command = Command::new("perf");
        command.args(["stat", "-x,", "-e", "raw_syscalls:sys_enter", "-p", &process.to_string()]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let mut counter = Self { tool: Tool::Perf, child };
        std::thread::sleep(PERF_ATTACHES);
        // If it may not, it has said so and is gone.
        matches!(counter.child.try_wait(), Ok(None)).then_some(counter)
    }

    fn strace(process: u32) -> Option<Self> {
        let mut command = Command::new("strace");
        command.args(["-f", "-c", "-p", &process.to_string()]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let mut counter = Self { tool: Tool::Strace, child };
        // The rest of what it says is read at the end, so nothing may be read ahead.
        let errors = counter.child.stderr.as_mut()?;
        let mut line = String::new();
        BufReader::with_capacity(1, errors).read_line(&mut line).ok()?;
        line.contains("attached").then_some(counter)
    }

    /// How many there were; `None` if it cannot be told.
    pub fn finish(mut self) -> Option<u64> {
        kill_process(Pid::from_child(&self.child), Signal::INT).ok()?;
        let mut text = String::new();
        self.child.stderr.take()?.read_to_string(&mut text).ok()?;
        self.child.wait().ok()?;
        match self.tool {
            Tool::Perf => perf_count(&text),
            Tool::Strace => strace_count(&text),
        }
    }
}

/// Nobody is left watching.
impl Drop for Counter {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The first field of the line about the event.
fn perf_count(text: &str) -> Option<u64> {
    text.lines().find(|line| line.contains("sys_enter"))?.split(',').next()?.parse().ok()
}

/// The fourth column of the last line, `100.00 0.012345 1 10000 total`.
fn strace_count(text: &str) -> Option<u64> {
    let total = text.lines().rfind(|line| line.ends_with("total"))?;
    total.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tools_are_understood() {
        assert_eq!(perf_count("1234,,raw_syscalls:sys_enter,5678,100.00,,\n"), Some(1234));
        assert_eq!(perf_count("<not counted>,,raw_syscalls:sys_enter,0,0.00,,\n"), None);
        let table = "% time seconds usecs/call calls errors syscall\n\
                     ------ ----------- ----------- --------- --------- ---------\n\
                     100.00    0.000012           1        10         2 total\n";
        assert_eq!(strace_count(table), Some(10));
        assert_eq!(strace_count("strace: attach: Operation not permitted\n"), None);
    }
}

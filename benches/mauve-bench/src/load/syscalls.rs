//! Counts the system calls of a process with `perf`, or with `strace` if `perf` is not permitted.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Time for perf to attach. It does not report when it has.
const PERF_ATTACH_TIME: Duration = Duration::from_millis(200);

/// A running tool that counts the system calls of a process. Dropping it stops the tool.
pub(super) struct SyscallCounter {
    tool: Tool,
    child: Child,
}

#[derive(Clone, Copy)]
enum Tool {
    Perf,
    Strace,
}

impl SyscallCounter {
    /// Starts counting. `None` if no tool is available.
    pub fn attach(process: u32) -> Option<Self> {
        Self::perf(process).or_else(|| Self::strace(process))
    }

    fn perf(process: u32) -> Option<Self> {
        let mut command = Command::new("perf");
        command.args(["stat", "-x,", "-e", "raw_syscalls:sys_enter", "-p", &process.to_string()]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let mut counter = Self { tool: Tool::Perf, child };
        std::thread::sleep(PERF_ATTACH_TIME);
        // If it lacks the permission, it has exited.
        matches!(counter.child.try_wait(), Ok(None)).then_some(counter)
    }

    fn strace(process: u32) -> Option<Self> {
        let mut command = Command::new("strace");
        command.args(["-f", "-c", "-p", &process.to_string()]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let mut counter = Self { tool: Tool::Strace, child };
        // The rest of its output is read by `finish`, so nothing may be read ahead.
        let errors = counter.child.stderr.as_mut()?;
        let mut line = String::new();
        BufReader::with_capacity(1, errors).read_line(&mut line).ok()?;
        line.contains("attached").then_some(counter)
    }

    /// Stops counting. Returns the number of system calls, or `None` if the output has none.
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

impl Drop for SyscallCounter {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Parses the first field of the event's line.
fn perf_count(text: &str) -> Option<u64> {
    text.lines().find(|line| line.contains("sys_enter"))?.split(',').next()?.parse().ok()
}

/// Parses the fourth column of the last line, `100.00 0.012345 1 10000 total`.
fn strace_count(text: &str) -> Option<u64> {
    let total = text.lines().rfind(|line| line.ends_with("total"))?;
    total.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_both_tools_is_parsed() {
        assert_eq!(perf_count("1234,,raw_syscalls:sys_enter,5678,100.00,,\n"), Some(1234));
        assert_eq!(perf_count("<not counted>,,raw_syscalls:sys_enter,0,0.00,,\n"), None);
        let table = "% time seconds usecs/call calls errors syscall\n\
                     ------ ----------- ----------- --------- --------- ---------\n\
                     100.00    0.000012           1        10         2 total\n";
        assert_eq!(strace_count(table), Some(10));
        assert_eq!(strace_count("strace: attach: Operation not permitted\n"), None);
    }
}

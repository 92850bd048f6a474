//! `mauve why PID`: lists what keeps a running program alive.
//!
//! The program needs no preparation. Every library and program with mauve's engine has a probe root
//! in its memory, see [`mauve_core::probe`]. [`memory`] finds it. [`loops`] writes the number of a
//! query to it and wakes each loop, and each loop writes its report to memory. A loop that does not
//! respond is stuck in a callback, and [`thread`] describes what its thread does.
//!
//! This needs the permission to debug the process, as `gdb` and `strace` do.

pub mod list;
mod loops;
mod memory;
mod names;
mod thread;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use clap::{Arg, Command, value_parser};

use crate::arguments::option;
use loops::Loop;
pub use loops::Root;
pub use memory::Memory;

/// The interval at which the report of a loop is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

const EXAMPLES: &str = "Examples:
  mauve why                 list the processes that run on mauve
  mauve why 1234            what keeps it alive, or the callback it is in
  mauve why --wait 10 1234  wait up to ten seconds for a callback that runs";

/// The definitions of `why` and of the hidden `pids`.
pub fn subcommands() -> [Command; 2] {
    let pids = Command::new("pids").about("Print the processes that run on mauve").hide(true);
    [why(), pids]
}

fn why() -> Command {
    Command::new("why")
        .after_help(EXAMPLES)
        .about("List what keeps a running program alive: loops, handles and requests")
        .args([
            Arg::new("pid")
                .value_name("PID")
                .help("The process id. Without it, list the processes that run on mauve")
                .value_parser(value_parser!(u32)),
            option("wait", "SECONDS", "Seconds to wait for a busy loop")
                .value_parser(value_parser!(f64))
                .default_value("2"),
        ])
}

/// Queries the loops of a process, and prints their reports. Waits for each loop up to `timeout`.
pub fn run(process: u32, timeout: Duration) -> Result<(), String> {
    let memory = Memory::of(process)?;
    let roots = memory.probe_roots()?;
    if roots.is_empty() {
        return Err(memory.without_mauve());
    }
    let mut report = String::new();
    let mut count = 0;
    for root in roots {
        let root = Root::read(&memory, root)?;
        let query = root.query(&memory)?;
        for found in root.loops(&memory)? {
            count += 1;
            let _ = write!(report, "\n{}", report_of(&memory, &found, query, timeout));
        }
    }
    let name = memory.program_name();
    let found = match count {
        0 => " uses mauve and has no loop".to_owned(),
        1 => format!(": 1 loop\n{report}"),
        _ => format!(": {count} loops\n{report}"),
    };
    crate::print(&format!("process {process} ({name}){found}\n"));
    Ok(())
}

/// The report of a loop, or a description of its thread if it does not respond.
fn report_of(memory: &Memory, of: &Loop, query: u64, timeout: Duration) -> String {
    let title = of.title();
    let Some(thread) = of.thread else {
        return format!("{title}: no thread runs it now\n");
    };
    if let Err(error) = of.wake(memory) {
        return format!("{title}: cannot be woken: {error}\n");
    }
    let begin = Instant::now();
    while begin.elapsed() < timeout {
        match of.report(memory, query) {
            Ok(Some(report)) => {
                let report = names::resolve(memory, &report);
                return format!("{title}, run by thread {thread}: {report}");
            }
            Ok(None) => std::thread::sleep(POLL_INTERVAL),
            Err(error) => return format!("{title}: {error}\n"),
        }
    }
    let awake = of.awake_for(memory);
    let awake =
        awake.map_or_else(String::new, |awake| format!(" for {:.1} s", awake.as_secs_f64()));
    let mut activity = thread::activity(memory.process, thread);
    match thread::stopped(memory, thread).map(|thread| names::callback_stack(memory, thread)) {
        Some(functions) => {
            activity += "  the callback, below what it has called:\n";
            functions.iter().for_each(|function| activity += &format!("    {function}\n"));
        }
        None => {
            let process = memory.process;
            activity += &format!(
                "  to see the callback: gdb -p {process} -batch -ex 'thread apply all bt'\n"
            );
        }
    }
    format!(
        "{title}, run by thread {thread}: does not respond. It has been in a callback{awake}; its \
         handles can be listed when that returns.\n{activity}"
    )
}

//! `mauve demo`: runs a loop, and prints the callbacks of each phase. The table fits into 80 columns.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, value_parser};
use mauve::{Async, Check, Errno, Idle, Loop, LoopRef, Phase, Prepare, RunMode, Timer};

use crate::arguments::option;
use crate::table::Table;
use crate::trace;

/// The phases, in the order of an iteration. Timers that are due before the first iteration have a
/// separate row.
const PHASES: [Phase; 7] = [
    Phase::Pending,
    Phase::Idle,
    Phase::Prepare,
    Phase::Poll,
    Phase::Check,
    Phase::Close,
    Phase::Timers,
];

const MS: Duration = Duration::from_millis(1);

/// The callbacks so far. All callbacks share it as the loop's state.
#[derive(Default)]
struct Log {
    rows: Vec<Row>,
}

struct Row {
    iteration: u64,
    cells: [Vec<String>; PHASES.len()],
}

impl Log {
    /// Records a callback.
    fn record(&mut self, lp: &LoopRef<Log>, what: impl Into<String>) {
        let phase = lp.phase().expect("callbacks run in a phase");
        // The loop counts an iteration in its poll phase, after pending, idle and prepare.
        let counted = lp.metrics().iterations;
        let iteration =
            if phase < Phase::Poll && phase != Phase::Timers { counted + 1 } else { counted };
        if self.rows.last().is_none_or(|row| row.iteration != iteration) {
            self.rows.push(Row { iteration, cells: Default::default() });
        }
        let column = PHASES.iter().position(|p| *p == phase).expect("all phases are listed");
        self.rows.last_mut().expect("just made sure").cells[column].push(what.into());
    }
}

const EXAMPLES: &str = "Examples:
  mauve demo                    print a table of the iterations
  mauve demo --trace demo.html  write a page of the same run, too";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    clap::Command::new("demo")
        .about("Run a loop, and show in which phase each callback runs")
        .after_help(EXAMPLES)
        .arg(
            option("trace", "FILE", "Write a trace of it to FILE (.html or .json)")
                .value_parser(value_parser!(PathBuf)),
        )
}

pub fn run(matches: &mut ArgMatches) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(file) = matches.remove_one("trace") {
        let command = std::env::current_exe()?.into_os_string();
        return Ok(trace::run_with(file, vec![command, "demo".into()]));
    }
    print_phases()?;
    Ok(ExitCode::SUCCESS)
}

fn print_phases() -> Result<(), Errno> {
    let lp = Loop::<Log>::new()?;
    set_up(&lp)?;
    let mut log = Log::default();
    lp.run_with(&mut log, RunMode::Default)?;
    lp.close()?;
    print(&log);
    Ok(())
}

/// Starts handles that run in different phases, work and a task.
fn set_up(lp: &LoopRef<Log>) -> Result<(), Errno> {
    for (name, timeout) in [("A", 0), ("B", 8), ("C", 8)] {
        Timer::new(lp).once(MS * timeout, move |log, timer| {
            log.record(timer.event_loop(), format!("{name}: {timeout} ms"));
            close(timer.event_loop(), timer.clone(), format!("timer {name}"));
        })?;
    }

    // An idle handle keeps the loop from sleeping. It stops after two iterations.
    let mut remaining = 2;
    Idle::new(lp).start(move |log, idle| {
        log.record(idle.event_loop(), "idle");
        remaining -= 1;
        if remaining == 0 {
            close(idle.event_loop(), idle.clone(), "idle".to_owned());
        }
    })?;

    // The prepare handle that was started last runs first.
    for name in ["A", "B"] {
        let mut remaining = 3;
        Prepare::new(lp).start(move |log, prepare| {
            log.record(prepare.event_loop(), name);
            remaining -= 1;
            if remaining == 0 {
                close(prepare.event_loop(), prepare.clone(), format!("prepare {name}"));
            }
        })?;
    }
    let mut remaining = 3;
    Check::new(lp).start(move |log, check| {
        log.record(check.event_loop(), "check");
        remaining -= 1;
        if remaining == 0 {
            close(check.event_loop(), check.clone(), "check".to_owned());
        }
    })?;

    // Another thread sends three times. Sends before the callback are coalesced.
    let async_handle = Async::new(lp, |log, async_handle| {
        log.record(async_handle.event_loop(), "async");
        close(async_handle.event_loop(), async_handle.clone(), "async".to_owned());
    });
    let sender = async_handle.sender();
    std::thread::spawn(move || (0..3).try_for_each(|_| sender.send()));

    // Work on the pool. Its result is reported in the poll phase.
    let name = lp.clone();
    lp.queue_work(
        || (1..=10u32).product::<u32>(),
        move |log, result| {
            let text = result.map_or_else(|error| error.to_string(), |n| format!("work: {n}"));
            log.record(&name, text);
        },
    )?;

    // A task.
    let task = lp.clone();
    lp.spawn(async move { task.sleep(10 * MS).await });
    Ok(())
}

/// Closes a handle and records the close callback.
fn close(lp: &LoopRef<Log>, handle: impl Into<mauve::AnyHandle<Log>>, name: String) {
    let lp = lp.clone();
    let closed = handle.into().close_with(move |log| log.record(&lp, name));
    debug_assert!(closed.is_ok());
}

fn print(log: &Log) {
    let head = PHASES.iter().map(|phase| format!("{phase:?}").to_lowercase());
    let mut table = Table::new(["".to_owned()].into_iter().chain(head));
    for row in &log.rows {
        let number = match row.iteration {
            0 => "start".to_owned(),
            n => n.to_string(),
        };
        table.row([vec![number]].into_iter().chain(row.cells.iter().cloned()).collect());
    }
    crate::print(&format!("{table}\n"));
}

//! `mauve why PID`: what keeps a running program alive.
//!
//! The program need not have been prepared for it. Every library and program built on mauve's
//! engine has a beacon in its memory, see [`mauve_core::probe`]: [`memory`] finds it, this writes
//! the number of a question to it and wakes each loop through the loop's own descriptor, and the
//! loops write their answers where they can be read. A loop that does not answer is stuck in a
//! callback, and [`thread`] says what its thread is doing.
//!
//! All of this takes the right to debug the process, as `gdb` and `strace` need it.

mod loops;
mod memory;
mod thread;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use loops::{Beacon, Loop};
use memory::Memory;

/// How often a loop is looked at while its answer is awaited.
const GLANCE: Duration = Duration::from_millis(2);

/// Asks the loops of a process, and prints what they answer within `patience`.
pub fn run(process: u32, patience: Duration) -> Result<(), String> {
    let memory = Memory::of(process)?;
    let beacons = memory.beacons()?;
    if beacons.is_empty() {
        return Err(memory.stranger());
    }
    let mut report = String::new();
    let mut count = 0;
    for beacon in beacons {
        let beacon = Beacon::read(&memory, beacon)?;
        let question = beacon.ask(&memory)?;
        for found in beacon.loops(&memory)? {
            count += 1;
            let _ = write!(report, "\n{}", ask(&memory, &found, question, patience));
        }
    }
    let name = memory.program_name();
    match count {
        0 => println!("process {process} ({name}) uses mauve, and has no loop"),
        1 => println!("process {process} ({name}): 1 loop\n{report}"),
        _ => println!("process {process} ({name}): {count} loops\n{report}"),
    }
    Ok(())
}

/// What a loop answers, or what can be said about one that does not.
fn ask(memory: &Memory, asked: &Loop, question: u64, patience: Duration) -> String {
    let title = asked.title();
    let Some(number) = asked.thread else {
        return format!("{title}: no thread runs it now\n");
    };
    if let Err(error) = asked.wake(memory) {
        return format!("{title}: cannot be woken: {error}\n");
    }
    let begin = Instant::now();
    while begin.elapsed() < patience {
        match asked.answer(memory, question) {
            Ok(Some(answer)) => return format!("{title}, run by thread {number}: {answer}"),
            Ok(None) => std::thread::sleep(GLANCE),
            Err(error) => return format!("{title}: {error}\n"),
        }
    }
    let awake = asked.awake_for(memory);
    let doing = thread::doing(memory.process, number);
    format!(
        "{title}, run by thread {number}: does not answer. It is in a callback{awake}; what hangs \
         on the loop is not to be known before that returns.\n{doing}"
    )
}

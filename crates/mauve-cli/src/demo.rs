//! `mauve demo`: one loop, everything that can hang on it, and what ran in which phase.

use std::time::Duration;

use mauve::{Async, Check, Errno, Idle, Loop, Phase, Prepare, RunMode, Timer};

use crate::table::Table;

/// The order in which an iteration runs its phases. Timers that are due before the first
/// iteration form a row of their own.
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

/// What has been seen so far: the state that all callbacks share.
#[derive(Default)]
struct Board {
    rows: Vec<Row>,
}

struct Row {
    iteration: u64,
    cells: [Vec<String>; PHASES.len()],
}

impl Board {
    /// Notes that a callback runs now.
    fn note(&mut self, lp: &Loop<Board>, what: impl Into<String>) {
        let phase = lp.phase().expect("callbacks run in a phase");
        // The loop counts iterations when it polls; the phases before that belong to the next.
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

pub fn run() -> Result<(), Errno> {
    let lp = Loop::<Board>::new()?;
    set_up(&lp)?;
    let mut board = Board::default();
    lp.run_with(&mut board, RunMode::Default)?;
    lp.close()?;
    print(&board);
    Ok(())
}

/// Hangs a bit of everything on the loop.
fn set_up(lp: &Loop<Board>) -> Result<(), Errno> {
    for (name, timeout) in [("timer 0 ms", 0), ("timer 8 ms", 8), ("timer 8 ms too", 8)] {
        Timer::new(lp).once(MS * timeout, move |board, timer| {
            board.note(timer.event_loop(), name);
            close(timer.event_loop(), timer.clone(), name);
        })?;
    }

    // An idle handle keeps the loop from sleeping: for two iterations, then it stops.
    let mut turns = 2;
    Idle::new(lp).start(move |board, idle| {
        board.note(idle.event_loop(), "idle");
        turns -= 1;
        if turns == 0 {
            close(idle.event_loop(), idle.clone(), "idle");
        }
    })?;

    // Of several hooks of one phase, the latest started is called first.
    for name in ["prepare A", "prepare B"] {
        let mut turns = 3;
        Prepare::new(lp).start(move |board, prepare| {
            board.note(prepare.event_loop(), name);
            turns -= 1;
            if turns == 0 {
                close(prepare.event_loop(), prepare.clone(), name);
            }
        })?;
    }
    let mut turns = 3;
    Check::new(lp).start(move |board, check| {
        board.note(check.event_loop(), "check");
        turns -= 1;
        if turns == 0 {
            close(check.event_loop(), check.clone(), "check");
        }
    })?;

    // Another thread sends three times; sends before the callback are merged.
    let bell = Async::new(lp, |board, bell| {
        board.note(bell.event_loop(), "async from a thread");
        close(bell.event_loop(), bell.clone(), "async");
    });
    let sender = bell.sender();
    std::thread::spawn(move || (0..3).try_for_each(|_| sender.send()));

    // Work on the pool; its end is news in the poll phase.
    let name = lp.clone();
    lp.queue_work(
        || (1..=10u32).product::<u32>(),
        move |board, result| {
            let text =
                result.map_or_else(|error| error.to_string(), |n| format!("work: 10! = {n}"));
            board.note(&name, text);
        },
    )?;

    // And a task.
    let task = lp.clone();
    lp.spawn(async move { task.sleep(10 * MS).await });
    Ok(())
}

/// Closes a handle and notes when that is done.
fn close(lp: &Loop<Board>, handle: impl Into<mauve::AnyHandle<Board>>, name: &'static str) {
    let lp = lp.clone();
    let closed = handle.into().close_with(move |board| board.note(&lp, format!("{name} closed")));
    debug_assert!(closed.is_ok());
}

fn print(board: &Board) {
    let head = PHASES.iter().map(|phase| format!("{phase:?}").to_lowercase());
    let mut table = Table::new(["".to_owned()].into_iter().chain(head));
    for row in &board.rows {
        let number = match row.iteration {
            0 => "start".to_owned(),
            n => n.to_string(),
        };
        table.row([vec![number]].into_iter().chain(row.cells.iter().cloned()).collect());
    }
    println!("{table}");
}

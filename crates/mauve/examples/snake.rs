//! A terminal in raw mode: move the `@` with h, j, k and l or the arrow keys, leave with q.
//!
//! `cargo run -p mauve --example snake`

use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::time::Duration;

use mauve::{Loop, Result, RunMode, Timer, Tty, TtyMode};

/// Position and direction of the head, and the size of the field.
struct Field {
    head: (i32, i32),
    step: (i32, i32),
    size: (i32, i32),
    moves: u32,
}

impl Field {
    fn turn(&mut self, key: u8) {
        self.step = match key {
            b'h' | b'D' => (-1, 0),
            b'l' | b'C' => (1, 0),
            b'k' | b'A' => (0, -1),
            b'j' | b'B' => (0, 1),
            _ => self.step,
        };
    }

    /// Moves the head. It wraps around at the edges.
    fn advance(&mut self) -> String {
        let (old_x, old_y) = self.head;
        self.head.0 = (old_x + self.step.0).rem_euclid(self.size.0.max(1));
        self.head.1 = (old_y + self.step.1).rem_euclid(self.size.1.max(1));
        self.moves += 1;
        let (x, y) = self.head;
        format!("\x1b[{};{}H.\x1b[{};{}H@", old_y + 1, old_x + 1, y + 1, x + 1)
    }
}

fn main() -> Result<()> {
    if !std::io::stdin().is_terminal() {
        eprintln!("this example needs a terminal");
        std::process::exit(2);
    }
    let lp = Loop::<Field>::new()?;
    let screen = Tty::new(&lp, std::io::stdin().as_fd().try_clone_to_owned()?)?;
    screen.set_mode(TtyMode::Raw)?;
    let (columns, rows) = screen.window_size()?;
    screen.try_write(b"\x1b[2J\x1b[?25l")?;

    let timer = Timer::new(&lp);
    let output = screen.clone();
    timer.every(Duration::from_millis(80), move |field, _| {
        let frame = field.advance();
        // A slow terminal skips a frame.
        let _ = output.try_write(frame.as_bytes());
    })?;

    screen.read_start(move |field, screen, keys| match keys {
        Ok(Some(keys)) if !keys.contains(&b'q') && !keys.contains(&3) => {
            keys.iter().for_each(|key| field.turn(*key));
        }
        _ => {
            timer.close();
            screen.close();
        }
    })?;

    let size = (i32::from(columns), i32::from(rows));
    let mut field = Field { head: (0, 0), step: (1, 0), size, moves: 0 };
    lp.run_with(&mut field, RunMode::Default)?;
    mauve::restore_terminal()?;
    println!("\x1b[2J\x1b[H\x1b[?25h{} moves", field.moves);
    Ok(())
}

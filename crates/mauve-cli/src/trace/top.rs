//! `mauve top`: what the loops of a running process do at present.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mauve_trace::Reader;
use mauve_trace::top::Snapshot;

use super::attach::Attached;
use super::directory::Directory;
use super::session::{self, End};
use super::time;

/// Shows the alternate screen, and hides the cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";
const HOME: &str = "\x1b[H";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_REST: &str = "\x1b[J";

/// Show what the loops of a running program do: utilisation, callbacks, pool, slowest callbacks.
#[derive(clap::Args)]
pub struct Arguments {
    /// The process id.
    pid: u32,
    /// Print one picture as text, and exit.
    #[arg(long)]
    once: bool,
    /// Print metrics in the OpenMetrics format, and exit.
    #[arg(long, conflicts_with = "once")]
    openmetrics: bool,
    /// How long a picture covers.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1s")]
    interval: Duration,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    match observe(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("mauve: {message}");
            ExitCode::FAILURE
        }
    }
}

fn observe(arguments: &Arguments) -> Result<(), String> {
    let directory = Directory::create()?;
    let attached = Attached::new(arguments.pid, &directory)?;
    let mut reader = Reader::new(directory.path(), Some(arguments.interval));
    let once = arguments.once || arguments.openmetrics || !io::stdout().is_terminal();
    let result = if once {
        picture(&mut reader, &attached, arguments)
    } else {
        screen(&mut reader, &attached, arguments)
    };
    attached.detach();
    reader.stop();
    result
}

/// Reads for one interval. Returns how the reading ended.
fn read(
    reader: &mut Reader,
    attached: &Attached,
    interval: Duration,
    quit: &AtomicBool,
) -> Result<End, String> {
    let begin = Instant::now();
    let ended = |_: &mut Reader| {
        begin.elapsed() >= interval || attached.has_exited() || quit.load(Ordering::Relaxed)
    };
    session::read(reader, ended).map_err(|error| error.to_string())
}

fn picture(reader: &mut Reader, attached: &Attached, arguments: &Arguments) -> Result<(), String> {
    let interval = arguments.interval;
    read(reader, attached, interval, &AtomicBool::new(false))?;
    let trace = reader.trace();
    let snapshot = Snapshot::new(&trace, interval);
    let mut out = io::stdout().lock();
    let written = if arguments.openmetrics {
        snapshot.write_openmetrics(&mut out)
    } else {
        snapshot.write(&mut out)
    };
    written.map_err(|error| error.to_string())
}

/// Draws a picture for each interval, until `q`, Ctrl-C or the end of the process.
fn screen(reader: &mut Reader, attached: &Attached, arguments: &Arguments) -> Result<(), String> {
    let terminal = Terminal::enter().map_err(|error| format!("the terminal: {error}"))?;
    let quit = terminal.quit.clone();
    loop {
        let end = read(reader, attached, arguments.interval, &quit)?;
        if end != End::Condition || quit.load(Ordering::Relaxed) {
            return Ok(());
        }
        let trace = reader.trace();
        let mut text = Vec::new();
        let snapshot = Snapshot::new(&trace, arguments.interval);
        snapshot.write(&mut text).map_err(|error| error.to_string())?;
        terminal.show(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
        if attached.has_exited() {
            drop(terminal);
            return Err(format!("process {} has exited", arguments.pid));
        }
    }
}

/// The terminal without line editing and echo. Dropping it restores it.
struct Terminal {
    before: Option<rustix::termios::Termios>,
    quit: Arc<AtomicBool>,
}

impl Terminal {
    fn enter() -> io::Result<Self> {
        let quit = Arc::new(AtomicBool::new(false));
        let mut before = None;
        if io::stdin().is_terminal() {
            let modes = rustix::termios::tcgetattr(io::stdin())?;
            let mut raw = modes.clone();
            raw.local_modes -=
                rustix::termios::LocalModes::ICANON | rustix::termios::LocalModes::ECHO;
            rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, &raw)?;
            before = Some(modes);
            let flag = quit.clone();
            // Ends with the process: it waits for a key.
            std::thread::spawn(move || await_quit(&flag));
        }
        print!("{ENTER}");
        Ok(Self { before, quit })
    }

    /// Draws the lines that fit.
    fn show(&self, text: &str) -> io::Result<()> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok();
        let (rows, columns) = size.map_or((24, 80), |s| (s.ws_row.into(), s.ws_col.into()));
        let mut out = io::stdout().lock();
        write!(out, "{HOME}")?;
        let lines = text.lines().take(usize::saturating_sub(rows, 2));
        for line in lines {
            let line: String = line.chars().take(columns).collect();
            write!(out, "{line}{CLEAR_LINE}\r\n")?;
        }
        write!(out, "{CLEAR_LINE}\r\nq: quit{CLEAR_REST}")?;
        out.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        print!("{LEAVE}");
        let _ = io::stdout().flush();
        if let Some(before) = &self.before {
            let now = rustix::termios::OptionalActions::Now;
            let _ = rustix::termios::tcsetattr(io::stdin(), now, before);
        }
    }
}

fn await_quit(quit: &AtomicBool) {
    let mut key = [0];
    while let Ok(1) = io::Read::read(&mut io::stdin(), &mut key) {
        if key == *b"q" {
            quit.store(true, Ordering::Relaxed);
            return;
        }
    }
}

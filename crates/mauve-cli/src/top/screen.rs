//! The full screen: what a terminal must support is an alternate screen, bold and reversed text.

use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use mauve_trace::Reader;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use unicode_width::UnicodeWidthChar as _;

use super::picture::Picture;
use crate::trace::{Attached, read_until};

/// How often the picture is renewed.
const REFRESH: Duration = Duration::from_secs(1);

/// Opens the alternate screen and hides the cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
/// Undoes [`ENTER`].
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Shows pictures until `q` is pressed, a signal arrives or the process exits.
pub fn run(attached: &Attached, reader: &mut Reader) -> Result<(), String> {
    let screen = Screen::open().map_err(|error| format!("the terminal cannot be used: {error}"))?;
    show_panics();
    let (mut drawn, mut failure) = (None, None);
    let ended = |reader: &mut Reader| {
        let shown = show(&screen, attached, reader, &mut drawn);
        shown.unwrap_or_else(|error| {
            failure = Some(error);
            true
        })
    };
    let read = read_until(reader, ended);
    drop(screen);
    read.map_err(|error| error.to_string())?;
    if let Some(error) = failure {
        return Err(error.to_string());
    }
    if attached.has_exited() {
        print_line!("mauve: the process has exited");
    }
    Ok(())
}

/// Renews the picture if it is time. Returns whether that was the end.
fn show(
    screen: &Screen,
    attached: &Attached,
    reader: &mut Reader,
    drawn: &mut Option<(Instant, Size)>,
) -> io::Result<bool> {
    let size = Size::of_terminal();
    if drawn.is_none_or(|(at, drawn)| at.elapsed() >= REFRESH || drawn != size) {
        let trace = reader.trace_until(Reader::now());
        let picture = Picture::new(&trace, attached.title(), attached.stuck_loops());
        draw(&mut io::stdout(), &lines(&picture), size)?;
        *drawn = Some((Instant::now(), size));
    }
    Ok(screen.end_is_requested()? || attached.has_exited())
}

/// A terminal without line editing and echo. Dropping it restores the terminal.
struct Screen {
    keys: OwnedFd,
    original: Termios,
}

impl Screen {
    fn open() -> io::Result<Self> {
        if !io::stdout().is_terminal() {
            return Err(io::Error::other("the output is no terminal (see --once)"));
        }
        let keys = match io::stdin() {
            stdin if stdin.is_terminal() => stdin.as_fd().try_clone_to_owned()?,
            _ => File::open("/dev/tty")?.into(),
        };
        let original = tcgetattr(&keys)?;
        let mut raw = original.clone();
        raw.make_raw();
        tcsetattr(&keys, OptionalActions::Now, &raw)?;
        // From here on, dropping the screen restores the terminal.
        let screen = Self { keys, original };
        io::stdout().write_all(ENTER.as_bytes())?;
        io::stdout().flush()?;
        Ok(screen)
    }

    /// Whether `q`, Escape or Ctrl-C was pressed, or the terminal was closed.
    fn end_is_requested(&self) -> io::Result<bool> {
        let mut polled = [PollFd::new(&self.keys, PollFlags::IN)];
        match poll(&mut polled, Some(&Timespec::default())) {
            Ok(0) | Err(Errno::INTR) => return Ok(false),
            result => result?,
        };
        let mut bytes = [0; 64];
        let count = rustix::io::read(&self.keys, &mut bytes)?;
        Ok(is_end(&bytes[..count]))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // There is no other terminal to report an error to.
        if !std::thread::panicking() {
            let _ = leave();
        }
        let _ = tcsetattr(&self.keys, OptionalActions::Now, &self.original);
    }
}

fn leave() -> io::Result<()> {
    io::stdout().write_all(LEAVE.as_bytes())?;
    io::stdout().flush()
}

/// Leaves the alternate screen before the message of a panic is printed, which would be lost with it.
fn show_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = leave();
        print(panic);
    }));
}

/// Whether the bytes of one read end the program. Other keys send a sequence that starts with Escape.
fn is_end(bytes: &[u8]) -> bool {
    match bytes {
        [] | [0x1b] => true,
        [0x1b, ..] => false,
        keys => keys.iter().any(|key| matches!(key, b'q' | 0x03)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Size {
    rows: usize,
    columns: usize,
}

impl Size {
    fn of_terminal() -> Self {
        match tcgetwinsize(io::stdout()) {
            Ok(size) if size.ws_row > 0 && size.ws_col > 0 => {
                Self { rows: size.ws_row.into(), columns: size.ws_col.into() }
            }
            // A serial line has no size.
            _ => Self { rows: 24, columns: 80 },
        }
    }
}

/// How a line is shown.
#[derive(Clone, Copy)]
enum Style {
    Plain,
    Bold,
    Reversed,
}

fn lines(picture: &Picture) -> Vec<(Style, String)> {
    let mut lines = vec![(Style::Bold, format!("{}  (q ends)", picture.title))];
    lines.extend(picture.remarks.iter().map(|remark| (Style::Bold, remark.clone())));
    for table in &picture.tables {
        lines.push((Style::Plain, String::new()));
        let styles = std::iter::once(Style::Reversed).chain(std::iter::repeat(Style::Plain));
        lines.extend(styles.zip(table.lines()));
    }
    lines
}

/// Writes the lines that fit over the last picture, with one system call: the screen does not flicker.
fn draw(out: &mut impl io::Write, lines: &[(Style, String)], size: Size) -> io::Result<()> {
    let mut text = String::from("\x1b[H");
    for (row, (style, line)) in lines.iter().take(size.rows).enumerate() {
        if row > 0 {
            text.push_str("\r\n");
        }
        text.push_str(match style {
            Style::Plain => "",
            Style::Bold => "\x1b[1m",
            Style::Reversed => "\x1b[7m",
        });
        text.extend(fitting(line, size.columns));
        text.push_str("\x1b[m\x1b[K");
    }
    text.push_str("\x1b[J");
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The beginning of a line that fits into some columns. Names come from programs, so characters that
/// control the terminal are replaced.
fn fitting(line: &str, columns: usize) -> impl Iterator<Item = char> {
    let shown = line.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    let mut used = 0;
    shown.take_while(move |c| {
        used += c.width().unwrap_or(0);
        used <= columns
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_width_of_the_terminal() {
        assert_eq!(fitting("loop 1", 4).collect::<String>(), "loop");
        assert_eq!(fitting("日本語", 5).collect::<String>(), "日本");
    }

    #[test]
    fn a_name_cannot_control_the_terminal() {
        assert_eq!(fitting("a\x1b[2Jb", 9).collect::<String>(), "a\u{fffd}[2Jb");
    }

    #[test]
    fn q_escape_and_control_c_end_the_program_but_arrows_do_not() {
        for keys in [&b"q"[..], b"\x1b", b"\x03", b"xq", b""] {
            assert!(is_end(keys), "{keys:?}");
        }
        for keys in [&b"x"[..], b"\x1b[A", b"\x1bOq", b"Q"] {
            assert!(!is_end(keys), "{keys:?}");
        }
    }

    #[test]
    fn only_the_lines_that_fit_are_drawn() {
        let lines = [(Style::Bold, "first".to_owned()), (Style::Plain, "second".to_owned())];
        let mut out = Vec::new();
        draw(&mut out, &lines, Size { rows: 1, columns: 3 }).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\x1b[H\x1b[1mfir\x1b[m\x1b[K\x1b[J");
    }
}

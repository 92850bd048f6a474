//! Performs [commands](Command) on a console that does not interpret them.

use std::sync::OnceLock;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    BACKGROUND_INTENSITY, COMMON_LVB_REVERSE_VIDEO, CONSOLE_CURSOR_INFO,
    CONSOLE_SCREEN_BUFFER_INFO, COORD, FOREGROUND_INTENSITY, FillConsoleOutputAttribute,
    FillConsoleOutputCharacterW, GetConsoleCursorInfo, SetConsoleCursorInfo,
    SetConsoleCursorPosition, SetConsoleTextAttribute,
};

use super::cursor::screen;
use super::sequences::{Command, Coordinate};
use crate::{Errno, Result};

/// The state of the console when the first output was opened, which commands restore.
#[derive(Clone, Copy, Debug)]
struct Initial {
    style: u16,
    cursor_size: u32,
    shows_cursor: bool,
}

static INITIAL: OnceLock<Initial> = OnceLock::new();

/// Stores the state of the console, if it is the first one.
pub(super) fn remember(console: HANDLE) {
    if let (Ok(info), Ok(cursor)) = (screen(console), cursor(console)) {
        INITIAL.get_or_init(|| Initial {
            style: info.wAttributes,
            cursor_size: cursor.dwSize,
            shows_cursor: cursor.bVisible != 0,
        });
    }
}

/// The position that is saved: a column, and a row of the window.
pub(super) type Saved = Option<(i32, i32)>;

/// Performs a command.
pub(super) fn perform(console: HANDLE, command: Command, saved: &mut Saved) -> Result<()> {
    let window = Window::of(console)?;
    let initial = INITIAL.get();
    match command {
        Command::Move { column, row } => window.move_to(column, row),
        Command::Erase { line, before, behind } => window.erase(line, before, behind),
        Command::Style(numbers) => {
            let default = initial.map_or(window.info.wAttributes, |initial| initial.style);
            let style = styled(window.info.wAttributes, default, numbers.as_slice());
            // SAFETY: takes numbers. The call fails if the handle is not open.
            check(unsafe { SetConsoleTextAttribute(console, style) })
        }
        Command::ShowCursor(shown) => set_cursor(console, None, Some(shown)),
        Command::CursorSize(size) => {
            let size = size.or(initial.map(|initial| initial.cursor_size));
            set_cursor(console, size, None)
        }
        Command::SavePosition => {
            *saved = Some(window.position());
            Ok(())
        }
        Command::RestorePosition => match *saved {
            Some((column, row)) => {
                window.move_to(Coordinate::Absolute(column), Coordinate::Absolute(row))
            }
            None => Ok(()),
        },
        Command::Reset => {
            let Some(initial) = initial else { return Ok(()) };
            window.clear(initial.style)?;
            set_cursor(console, Some(initial.cursor_size), Some(initial.shows_cursor))
        }
    }
}

/// The part of the buffer in which the cursor is moved: as many rows as the window has, among them the one of the
/// cursor.
struct Window {
    console: HANDLE,
    info: CONSOLE_SCREEN_BUFFER_INFO,
    width: i32,
    height: i32,
    /// Its first row in the buffer.
    top: i32,
}

impl Window {
    fn of(console: HANDLE) -> Result<Self> {
        let info = screen(console)?;
        let [top, bottom, row] =
            [info.srWindow.Top, info.srWindow.Bottom, info.dwCursorPosition.Y].map(i32::from);
        let height = bottom - top + 1;
        // The user may have scrolled the window away from the cursor.
        let top = top.max(row - height + 1).min(row);
        Ok(Self { console, info, width: info.dwSize.X.into(), height, top })
    }

    /// The column and the row of the cursor.
    fn position(&self) -> (i32, i32) {
        let COORD { X: column, Y: row } = self.info.dwCursorPosition;
        (column.into(), i32::from(row) - self.top)
    }

    fn move_to(&self, column: Coordinate, row: Coordinate) -> Result<()> {
        let target = |to, from: i32, size: i32| match to {
            Coordinate::Absolute(to) => to.clamp(0, size - 1),
            Coordinate::Relative(by) => (from + by).clamp(0, size - 1),
        };
        let position = self.position();
        let x = target(column, position.0, self.width) as i16;
        let y = (self.top + target(row, position.1, self.height)) as i16;
        // SAFETY: takes numbers. The call fails if the handle is not open.
        check(unsafe { SetConsoleCursorPosition(self.console, COORD { X: x, Y: y }) })
    }

    fn erase(&self, line: bool, before: bool, behind: bool) -> Result<()> {
        let (column, row) = self.position();
        let at = row * self.width + column;
        let (first, end) = match line {
            true => (row * self.width, (row + 1) * self.width),
            false => (0, self.height * self.width),
        };
        let from = if before { first } else { at };
        let to = if behind { end } else { at + 1 };
        let start =
            COORD { X: (from % self.width) as i16, Y: (self.top + from / self.width) as i16 };
        self.fill(start, (to - from).cast_unsigned(), self.info.wAttributes)
    }

    /// Clears the buffer, and moves the cursor to its begin.
    fn clear(&self, style: u16) -> Result<()> {
        let origin = COORD { X: 0, Y: 0 };
        // SAFETY: takes numbers. The call fails if the handle is not open.
        check(unsafe { SetConsoleTextAttribute(self.console, style) })?;
        let length = self.width * i32::from(self.info.dwSize.Y);
        self.fill(origin, length.cast_unsigned(), style)?;
        // SAFETY: as above.
        check(unsafe { SetConsoleCursorPosition(self.console, origin) })
    }

    fn fill(&self, start: COORD, length: u32, style: u16) -> Result<()> {
        let (space, mut count) = (u16::from(b' '), 0);
        // SAFETY: takes numbers, and stores one in a local variable. The calls fail if the handle is not open.
        unsafe {
            let at = &raw mut count;
            check(FillConsoleOutputCharacterW(self.console, space, length, start, at))?;
            check(FillConsoleOutputAttribute(self.console, style, length, start, at))
        }
    }
}

fn cursor(console: HANDLE) -> Result<CONSOLE_CURSOR_INFO> {
    let mut info = CONSOLE_CURSOR_INFO { dwSize: 0, bVisible: 0 };
    // SAFETY: the information is stored in a local variable. The call fails for other handles.
    check(unsafe { GetConsoleCursorInfo(console, &raw mut info) })?;
    Ok(info)
}

/// Changes the size of the cursor, and whether it is shown.
fn set_cursor(console: HANDLE, size: Option<u32>, shown: Option<bool>) -> Result<()> {
    let mut info = cursor(console)?;
    info.dwSize = size.unwrap_or(info.dwSize);
    info.bVisible = shown.map_or(info.bVisible, i32::from);
    // SAFETY: the information is borrowed during the call. It fails if the handle is not open.
    check(unsafe { SetConsoleCursorInfo(console, &raw const info) })
}

fn check(done: i32) -> Result<()> {
    if done == 0 { Err(Errno::last()) } else { Ok(()) }
}

/// The bits of a color, of the text and of its background.
const TEXT: u16 = 0x07;
const BACKGROUND: u16 = 0x70;

const BRIGHT_TEXT: u16 = FOREGROUND_INTENSITY;
const BRIGHT_BACKGROUND: u16 = BACKGROUND_INTENSITY;

/// A style, changed by the numbers of SGR. Without any, `default`.
fn styled(style: u16, default: u16, numbers: &[u16]) -> u16 {
    let numbers = if numbers.is_empty() { &[0] } else { numbers };
    let mut is_inverse = style & COMMON_LVB_REVERSE_VIDEO != 0;
    let mut style = if is_inverse { swapped(style) } else { style };
    for &number in numbers {
        let (cleared, set) = match number {
            0 => (0xff, default & 0xff),
            1 => (0, BRIGHT_TEXT),
            2 => (BRIGHT_TEXT | BRIGHT_BACKGROUND, 0),
            5 => (0, BRIGHT_BACKGROUND),
            21 | 22 => (BRIGHT_TEXT, 0),
            25 => (BRIGHT_BACKGROUND, 0),
            30..=37 => (TEXT, color(number - 30)),
            39 => (TEXT | BRIGHT_TEXT, default & (TEXT | BRIGHT_TEXT)),
            40..=47 => (BACKGROUND, color(number - 40) << 4),
            49 => (BACKGROUND | BRIGHT_BACKGROUND, default & (BACKGROUND | BRIGHT_BACKGROUND)),
            90..=97 => (TEXT, color(number - 90) | BRIGHT_TEXT),
            100..=107 => (BACKGROUND, color(number - 100) << 4 | BRIGHT_BACKGROUND),
            _ => (0, 0),
        };
        style = style & !cleared | set;
        is_inverse = match number {
            0 | 27 => false,
            7 => true,
            _ => is_inverse,
        };
    }
    style &= !COMMON_LVB_REVERSE_VIDEO;
    if is_inverse { swapped(style) | COMMON_LVB_REVERSE_VIDEO } else { style }
}

/// The text with the color of the background, and the background with that of the text.
fn swapped(style: u16) -> u16 {
    style & !0xff | style >> 4 & 0x0f | style << 4 & 0xf0
}

/// A color of ANSI, which counts red first. Consoles count blue first.
fn color(number: u16) -> u16 {
    number & 0b010 | number >> 2 & 0b001 | number << 2 & 0b100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_those_of_consoles() {
        assert_eq!(styled(0xa3, 7, &[]), 7);
        assert_eq!(styled(0x07, 7, &[31, 1]), 0x0c);
        assert_eq!(styled(0x07, 7, &[94, 103]), 0xe9);
        assert_eq!(styled(0xa3, 0x17, &[39, 49]), 0x17);
        assert_eq!(styled(0xaf, 7, &[2]), 0x27);
        // The inverse of a style is changed like the style.
        assert_eq!(styled(0x07, 7, &[7]), 0x4070);
        assert_eq!(styled(0x4070, 7, &[7, 31]), 0x4040);
        assert_eq!(styled(0x4040, 7, &[27]), 0x04);
    }
}

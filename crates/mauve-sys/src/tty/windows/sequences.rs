//! The VT sequences in a text, for consoles that interpret none.
//!
//! A sequence is a part of ECMA-48 that libuv interprets. All others are skipped, so that they are not shown.

const ESCAPE: u16 = 0x1b;
/// The control sequence introducer as one character. The others of its kind are text.
const CONTROL: u16 = 0x9b;

/// How many numbers a sequence can have. One with more is skipped.
const MAX_NUMBERS: usize = 4;

/// A text or a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Text(&'a [u16]),
    Command(Command),
}

/// What a sequence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Moves the cursor, within the window.
    Move {
        column: Coordinate,
        row: Coordinate,
    },
    /// Erases the screen or the line of the cursor: what is before the cursor, or behind it. The character at the
    /// cursor belongs to both.
    Erase {
        line: bool,
        before: bool,
        behind: bool,
    },
    /// Changes the style of the text: numbers of SGR. None of them restores the style of the start.
    Style(Numbers),
    ShowCursor(bool),
    /// Sets the size of the cursor in percent. `None` is that of the start.
    CursorSize(Option<u32>),
    SavePosition,
    RestorePosition,
    /// Clears everything, and restores the state of the start.
    Reset,
}

/// Where the cursor moves to. Absolute ones count from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coordinate {
    Absolute(i32),
    Relative(i32),
}

use Coordinate::{Absolute, Relative};

/// The numbers of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    values: [u16; MAX_NUMBERS],
    count: usize,
    /// Digits continue the last number.
    is_open: bool,
    /// The sequence begins with a question mark.
    is_private: bool,
}

impl Numbers {
    pub fn as_slice(&self) -> &[u16] {
        &self.values[..self.count]
    }

    /// Adds a number. False if there are too many.
    fn push(&mut self) -> bool {
        let has_room = self.count < MAX_NUMBERS;
        self.count += usize::from(has_room);
        has_room
    }

    /// Adds a digit or a separator. False if the sequence has to be skipped.
    fn add(&mut self, character: u16) -> bool {
        match u8::try_from(character) {
            Ok(b'?') if *self == Self::default() => {
                self.is_private = true;
                true
            }
            Ok(digit @ b'0'..=b'9') => {
                if !self.is_open && !self.push() {
                    return false;
                }
                self.is_open = true;
                let value = &mut self.values[self.count - 1];
                if *value > u16::MAX / 10 {
                    return false;
                }
                // As in libuv, the next four numbers after the largest one begin with zero again.
                *value = value.wrapping_mul(10).wrapping_add(u16::from(digit - b'0'));
                true
            }
            Ok(b';') => std::mem::take(&mut self.is_open) || self.push(),
            _ => false,
        }
    }

    fn get(&self, index: usize, missing: u16) -> i32 {
        self.as_slice().get(index).copied().unwrap_or(missing).into()
    }

    /// The command of a sequence with these numbers that ends with `last`.
    fn command(self, last: u16) -> Option<Command> {
        let last = u8::try_from(last).ok()?;
        if self.is_private {
            let is_cursor = self.as_slice() == [25] && matches!(last, b'h' | b'l');
            return is_cursor.then_some(Command::ShowCursor(last == b'h'));
        }
        let first = self.get(0, 1);
        let at = |index| Absolute((self.get(index, 1) - 1).max(0));
        let (column, row) = match last {
            b'A' => (Relative(0), Relative(-first)),
            b'B' => (Relative(0), Relative(first)),
            b'C' => (Relative(first), Relative(0)),
            b'D' => (Relative(-first), Relative(0)),
            b'E' => (Absolute(0), Relative(first)),
            b'F' => (Absolute(0), Relative(-first)),
            b'G' => (at(0), Relative(0)),
            b'H' | b'f' => (at(1), at(0)),
            b'J' | b'K' => {
                let (line, side) = (last == b'K', self.get(0, 0));
                let (before, behind) = (side != 0, side != 1);
                return (side <= 2).then_some(Command::Erase { line, before, behind });
            }
            b'm' => return Some(Command::Style(self)),
            b's' => return Some(Command::SavePosition),
            b'u' => return Some(Command::RestorePosition),
            _ => return None,
        };
        Some(Command::Move { column, row })
    }

    /// The command that sets the shape of the cursor.
    fn cursor_shape(self) -> Option<Command> {
        let size = match self.get(0, 1) {
            _ if self.is_private => return None,
            0 => None,
            1 | 2 => Some(100),
            3..=6 => Some(25),
            _ => return None,
        };
        Some(Command::CursorSize(size))
    }
}

/// Splits a text into its parts. A sequence may be spread over several texts.
#[derive(Debug, Default)]
pub(super) struct Parser {
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// In a control sequence.
    Control(Numbers),
    /// In a control sequence, after a space.
    Space(Numbers),
    /// In a control sequence that has no effect.
    Skipped,
    /// In a string, such as the title of a window, which is not shown.
    String { is_quoted: bool, is_escaped: bool },
}

impl Parser {
    /// The next part of a text, which is removed from it.
    pub fn next<'a>(&mut self, text: &mut &'a [u16]) -> Option<Part<'a>> {
        while let Some(&character) = text.first() {
            let is_last = (0x40..0x7f).contains(&character);
            let mut command = None;
            match &mut self.state {
                State::Text => {
                    let is_special = |character: &u16| matches!(*character, ESCAPE | CONTROL);
                    let length = text.iter().position(is_special).unwrap_or(text.len());
                    if length > 0 {
                        return Some(Part::Text(text.split_off(..length)?));
                    }
                    self.state = match character {
                        ESCAPE => State::Escape,
                        _ => State::Control(Numbers::default()),
                    };
                }
                State::Escape => {
                    self.state = match u8::try_from(character) {
                        Ok(b'[') => State::Control(Numbers::default()),
                        Ok(b'^' | b'_' | b'P' | b']') => {
                            State::String { is_quoted: false, is_escaped: false }
                        }
                        Ok(0x1b) => State::Escape,
                        _ => State::Text,
                    };
                    command = match u8::try_from(character) {
                        Ok(b'7') => Some(Command::SavePosition),
                        Ok(b'8') => Some(Command::RestorePosition),
                        Ok(b'c') => Some(Command::Reset),
                        Ok(0x40..0x60 | 0x1b) => None,
                        // The character itself is shown, also the one that begins a sequence.
                        _ => return Some(Part::Text(text.split_off(..1)?)),
                    };
                }
                State::Control(numbers) if is_last => {
                    command = numbers.command(character);
                    self.state = State::Text;
                }
                State::Control(numbers) => {
                    if character == u16::from(b' ') {
                        self.state = State::Space(*numbers);
                    } else if !numbers.add(character) {
                        self.state = State::Skipped;
                    }
                }
                State::Space(numbers) if is_last => {
                    command = numbers.cursor_shape().filter(|_| character == u16::from(b'q'));
                    self.state = State::Text;
                }
                State::Space(_) => {
                    self.state = State::Skipped;
                    // libuv shows this character.
                    return Some(Part::Text(text.split_off(..1)?));
                }
                State::Skipped if is_last => self.state = State::Text,
                State::Skipped => {}
                State::String { is_quoted, is_escaped } => {
                    let was_escaped = std::mem::take(is_escaped);
                    match u8::try_from(character) {
                        Ok(b'"') if !(*is_quoted && was_escaped) => *is_quoted = !*is_quoted,
                        Ok(b'\\') if *is_quoted => *is_escaped = !was_escaped,
                        Ok(b'\\') if was_escaped => self.state = State::Text,
                        Ok(0x1b) if !*is_quoted => *is_escaped = !was_escaped,
                        Ok(0x07) if !*is_quoted => self.state = State::Text,
                        _ => {}
                    }
                }
            }
            *text = &text[1..];
            if let Some(command) = command {
                return Some(Part::Command(command));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a text that arrives in these pieces: texts in quotes, and commands.
    fn parts(pieces: &[&str]) -> Vec<String> {
        let mut parser = Parser::default();
        let mut parts = Vec::new();
        for piece in pieces {
            let text: Vec<u16> = piece.encode_utf16().collect();
            let mut text = &text[..];
            while let Some(part) = parser.next(&mut text) {
                parts.push(match part {
                    Part::Text(text) => format!("{:?}", String::from_utf16_lossy(text)),
                    Part::Command(Command::Style(numbers)) => format!("{:?}", numbers.as_slice()),
                    Part::Command(command) => format!("{command:?}"),
                });
            }
        }
        parts
    }

    #[test]
    fn a_sequence_may_be_split_anywhere() {
        let text = "a\x1b[31;;7mb\u{9b}?25lc\x1b]0;\"\x07\\\"\"\x1b\\d\x1b\x1b7";
        let expected = [
            r#""a""#,
            "[31, 0, 7]",
            r#""b""#,
            "ShowCursor(false)",
            r#""c""#,
            r#""d""#,
            "SavePosition",
        ];
        assert_eq!(parts(&[text]), expected);
        let pieces: Vec<String> = text.chars().map(String::from).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert_eq!(parts(&pieces), expected);
    }

    #[test]
    fn numbers_that_are_left_out_have_defaults() {
        let moved = |column, row| [format!("{:?}", Command::Move { column, row })];
        assert_eq!(parts(&["\x1b[A"]), moved(Relative(0), Relative(-1)));
        assert_eq!(parts(&["\x1b[0C"]), moved(Relative(0), Relative(0)));
        assert_eq!(parts(&["\x1b[;5H"]), moved(Absolute(4), Absolute(0)));
        assert_eq!(parts(&["\x1b[5;f"]), moved(Absolute(0), Absolute(4)));
        assert_eq!(parts(&["\x1b[m", "\x1b[1;m"]), ["[]", "[1]"]);
        assert_eq!(parts(&["\x1b[ q\x1b[3 q"]), ["CursorSize(Some(100))", "CursorSize(Some(25))"]);
    }

    #[test]
    fn what_is_not_known_is_skipped() {
        let skipped = [
            "[?2J",
            "[25l",
            "[??25l",
            "[25?l",
            "[?25;25l",
            "[3J",
            "[@",
            "[[",
            "[1;2;3;4;5m",
            "[99999m",
            "[1;2 H",
            "[7 q",
            "[!p",
            "[2\nJ",
            "P$m\x1b\\",
            "^\"\x1b\\\\\"\x07",
            "D",
        ];
        for sequence in skipped {
            assert_eq!(parts(&[&format!("\x1b{sequence}x")]), [r#""x""#], "{sequence:?}");
        }
        // Only the escape character is.
        assert_eq!(parts(&["\x1b(B"]), [r#""(""#, r#""B""#]);
        // One character of this sequence is shown, as libuv does.
        assert_eq!(parts(&["\x1b[1 23mx"]), [r#""2""#, r#""x""#]);
    }
}

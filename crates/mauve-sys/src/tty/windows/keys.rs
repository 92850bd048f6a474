//! Keys as the text that a terminal sends for them. The sequences are those of libuv.

use windows_sys::Win32::System::Console::{
    ENHANCED_KEY, KEY_EVENT_RECORD, LEFT_ALT_PRESSED, LEFT_CTRL_PRESSED, RIGHT_ALT_PRESSED,
    RIGHT_CTRL_PRESSED, SHIFT_PRESSED,
};
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    VK_CLEAR, VK_DECIMAL, VK_DELETE, VK_DOWN, VK_END, VK_F1, VK_F11, VK_F12, VK_HOME, VK_INSERT,
    VK_LEFT, VK_MENU, VK_NEXT, VK_NUMPAD0, VK_NUMPAD9, VK_PRIOR, VK_RIGHT, VK_UP,
};

use crate::fs::path::encode;

/// Translates the events of keys.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The first half of a character that consists of two.
    high: Option<u16>,
}

impl Keys {
    /// Appends the text of an event in WTF-8, as often as it is repeated.
    pub fn translate(&mut self, key: &KEY_EVENT_RECORD, into: &mut Vec<u8>) {
        // SAFETY: both fields of the union are numbers.
        let unit = unsafe { key.uChar.UnicodeChar };
        // A character that was composed with Alt and digits comes when Alt is released.
        let is_composed = key.wVirtualKeyCode == VK_MENU && unit != 0;
        if key.bKeyDown == 0 && !is_composed {
            return;
        }
        let has = |flags| key.dwControlKeyState & flags != 0;
        let ctrl = has(LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED);
        let alt = has(LEFT_ALT_PRESSED | RIGHT_ALT_PRESSED);
        let mut text = Vec::new();
        if unit != 0 {
            if (0xd800..0xdc00).contains(&unit) {
                self.high = Some(unit);
                return;
            }
            // Both together are the key AltGr.
            if alt && !ctrl && !is_composed {
                text.push(0x1b);
            }
            self.character(unit, &mut text);
        } else if !is_composing(key)
            && let Some(sequence) = sequence(key.wVirtualKeyCode, has(SHIFT_PRESSED), ctrl)
        {
            if alt {
                text.push(0x1b);
            }
            text.extend_from_slice(sequence.as_bytes());
        }
        for _ in 0..key.wRepeatCount.max(1) {
            into.extend_from_slice(&text);
        }
    }

    /// Appends a character, of which this may be the second half.
    fn character(&mut self, unit: u16, into: &mut Vec<u8>) {
        into.extend(encode(self.high.take().into_iter().chain([unit])));
    }
}

/// Whether a key of the number pad is a digit of a character that is composed with Alt.
fn is_composing(key: &KEY_EVENT_RECORD) -> bool {
    let code = key.wVirtualKeyCode;
    let is_digit = KEYPAD.contains(&code) || (VK_NUMPAD0..=VK_NUMPAD9).contains(&code);
    let state = key.dwControlKeyState;
    is_digit && state & LEFT_ALT_PRESSED != 0 && state & ENHANCED_KEY == 0
}

/// The keys on the number pad from 0 to 9, while it has no digits.
const KEYPAD: [u16; 10] =
    [VK_INSERT, VK_END, VK_DOWN, VK_NEXT, VK_LEFT, VK_CLEAR, VK_RIGHT, VK_HOME, VK_UP, VK_PRIOR];

/// The sequence of a key that has no character.
fn sequence(key: u16, shift: bool, ctrl: bool) -> Option<String> {
    let key = match key {
        VK_DECIMAL => VK_DELETE,
        VK_NUMPAD0..=VK_NUMPAD9 => KEYPAD[usize::from(key - VK_NUMPAD0)],
        key => key,
    };
    if (VK_F1..=VK_F12).contains(&key) {
        return Some(function_key(key - VK_F1, shift, ctrl));
    }
    let modifier = match (shift, ctrl) {
        (false, false) => "",
        (true, false) => ";2",
        (false, true) => ";5",
        (true, true) => ";6",
    };
    let number = match key {
        VK_HOME => 1,
        VK_INSERT => 2,
        VK_DELETE => 3,
        VK_END => 4,
        VK_PRIOR => 5,
        VK_NEXT => 6,
        _ => 0,
    };
    if number > 0 {
        return Some(format!("\x1b[{number}{modifier}~"));
    }
    let letter = match key {
        VK_UP => 'A',
        VK_DOWN => 'B',
        VK_RIGHT => 'C',
        VK_LEFT => 'D',
        VK_CLEAR => 'G',
        _ => return None,
    };
    let number = if modifier.is_empty() { "" } else { "1" };
    Some(format!("\x1b[{number}{modifier}{letter}"))
}

/// The sequence of a function key, by its number from zero.
fn function_key(index: u16, shift: bool, ctrl: bool) -> String {
    const PLAIN: [u8; 12] = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];
    const SHIFTED: [u8; 10] = [23, 24, 25, 26, 28, 29, 31, 32, 33, 34];
    let plain = PLAIN[usize::from(index)];
    // The last two have a mark of their own, because the shifted numbers begin with theirs.
    let is_last = index >= VK_F11 - VK_F1;
    let shifted = SHIFTED.get(usize::from(index)).copied().unwrap_or(plain);
    match (shift, ctrl) {
        (false, false) if index < 5 => format!("\x1b[[{}", char::from(b'A' + index as u8)),
        (false, false) => format!("\x1b[{plain}~"),
        (true, false) if is_last => format!("\x1b[{plain}$"),
        (true, false) => format!("\x1b[{shifted}~"),
        (false, true) => format!("\x1b[{plain}^"),
        (true, true) if is_last => format!("\x1b[{plain}@"),
        (true, true) => format!("\x1b[{shifted}^"),
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Console::KEY_EVENT_RECORD_0;

    use super::*;

    fn key(code: u16, unit: u16, state: u32) -> KEY_EVENT_RECORD {
        KEY_EVENT_RECORD {
            bKeyDown: 1,
            wRepeatCount: 1,
            wVirtualKeyCode: code,
            wVirtualScanCode: 0,
            uChar: KEY_EVENT_RECORD_0 { UnicodeChar: unit },
            dwControlKeyState: state,
        }
    }

    fn text(keys: &mut Keys, key: KEY_EVENT_RECORD) -> Vec<u8> {
        let mut text = Vec::new();
        keys.translate(&key, &mut text);
        text
    }

    #[test]
    fn keys_without_a_character_have_the_sequences_of_libuv() {
        let both = LEFT_CTRL_PRESSED | SHIFT_PRESSED;
        let states = [0, SHIFT_PRESSED, RIGHT_CTRL_PRESSED, both];
        let all = [
            (VK_UP, ["[A", "[1;2A", "[1;5A", "[1;6A"]),
            (VK_CLEAR, ["[G", "[1;2G", "[1;5G", "[1;6G"]),
            (VK_HOME, ["[1~", "[1;2~", "[1;5~", "[1;6~"]),
            (VK_NUMPAD0 + 9, ["[5~", "[5;2~", "[5;5~", "[5;6~"]),
            (VK_NUMPAD0 + 6, ["[C", "[1;2C", "[1;5C", "[1;6C"]),
            (VK_DECIMAL, ["[3~", "[3;2~", "[3;5~", "[3;6~"]),
            (VK_F1, ["[[A", "[23~", "[11^", "[23^"]),
            (VK_F1 + 4, ["[[E", "[28~", "[15^", "[28^"]),
            (VK_F1 + 5, ["[17~", "[29~", "[17^", "[29^"]),
            (VK_F1 + 9, ["[21~", "[34~", "[21^", "[34^"]),
            (VK_F11, ["[23~", "[23$", "[23^", "[23@"]),
            (VK_F12, ["[24~", "[24$", "[24^", "[24@"]),
        ];
        for (code, expected) in all {
            for (state, expected) in states.into_iter().zip(expected) {
                let sequence = format!("\x1b{expected}").into_bytes();
                assert_eq!(text(&mut Keys::default(), key(code, 0, state)), sequence);
                let with_alt = [b"\x1b", &sequence[..]].concat();
                let state = state | LEFT_ALT_PRESSED | ENHANCED_KEY;
                assert_eq!(text(&mut Keys::default(), key(code, 0, state)), with_alt);
            }
        }
        assert_eq!(text(&mut Keys::default(), key(u16::from(b'A'), 0, 0)), b"");
        let digit = key(VK_NUMPAD0 + 8, 0, LEFT_ALT_PRESSED);
        assert_eq!(text(&mut Keys::default(), digit), b"", "a character is composed");
    }

    #[test]
    fn characters_are_encoded_and_repeated() {
        let mut keys = Keys::default();
        let mut thrice = key(65, u16::from(b'a'), 0);
        thrice.wRepeatCount = 3;
        assert_eq!(text(&mut keys, thrice), b"aaa");
        let a = u16::from(b'a');
        assert_eq!(text(&mut keys, key(65, a, LEFT_ALT_PRESSED)), b"\x1ba");
        assert_eq!(text(&mut keys, key(65, a, RIGHT_ALT_PRESSED | LEFT_CTRL_PRESSED)), b"a");
        assert_eq!(text(&mut keys, key(67, 3, LEFT_CTRL_PRESSED)), b"\x03");
        assert_eq!(text(&mut keys, key(VK_UP, u16::from(b'&'), 0)), b"&");
        assert_eq!(text(&mut keys, key(0, 0xd83d, 0)), b"");
        assert_eq!(text(&mut keys, key(0, 0xde00, 0)), "😀".as_bytes());
        assert_eq!(text(&mut keys, key(0, 0xde00, 0)), b"\xed\xb8\x80");
        assert_eq!(text(&mut keys, key(0, 0xd83d, 0)), b"");
        assert_eq!(text(&mut keys, key(65, a, 0)), b"\xed\xa0\xbda");
        let mut released = key(VK_MENU, 0x20ac, 0);
        released.bKeyDown = 0;
        assert_eq!(text(&mut keys, released), "€".as_bytes());
        released = key(65, a, 0);
        released.bKeyDown = 0;
        assert_eq!(text(&mut keys, released), b"");
    }
}

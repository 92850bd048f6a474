//! The input of a console.
//!
//! In raw mode the events of keys are read, which does not block while there are any, and the handle is signaled.
//! A line is read with a call that blocks until it is complete. So a thread calls it, and is released with a
//! key when the line is no longer wanted.

use std::ptr::null;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    ENABLE_ECHO_INPUT, ENABLE_LINE_INPUT, ENABLE_PROCESSED_INPUT, ENABLE_VIRTUAL_TERMINAL_INPUT,
    ENABLE_WINDOW_INPUT, GetNumberOfConsoleInputEvents, INPUT_RECORD, KEY_EVENT, ReadConsoleInputW,
    ReadConsoleW, SetConsoleMode, WINDOW_BUFFER_SIZE_EVENT, WriteConsoleInputW,
};
use windows_sys::Win32::UI::Input::KeyboardAndMouse::VK_RETURN;

use super::cursor::Cursor;
use super::keys::Keys;
use crate::descriptor::{RawDescriptor, handle};
use crate::device::{Device, Wait, lock};
use crate::event::Event;
use crate::fd::FdType;
use crate::fs::path::from_wide;
use crate::signal;
use crate::tty::Mode;
use crate::{Errno, Result};

/// How many events are read at a time.
const RECORDS: usize = 64;

/// The most characters of a line that are read at a time.
const LINE: usize = 4096;

/// The input of a console.
#[derive(Debug)]
pub(super) struct Input {
    shared: Arc<Shared>,
}

/// What the thread shares with the input.
#[derive(Debug)]
struct Shared {
    raw: RawDescriptor,
    state: Mutex<State>,
    changed: Condvar,
    /// Set when a line was read, or the mode has changed.
    line: Event,
}

#[derive(Debug)]
struct State {
    is_raw: bool,
    keys: Keys,
    /// What was received and is not read yet.
    text: Vec<u8>,
    line: LineState,
    /// The error of the last line.
    error: Option<Errno>,
    has_thread: bool,
    is_closed: bool,
}

/// The state of the thread that reads a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    Idle,
    /// The thread is to read.
    Wanted,
    Reading,
    /// The thread is to return from its read, and then is idle.
    Cancelled,
}

impl Input {
    pub fn new(raw: RawDescriptor) -> Result<Self> {
        let state = State {
            is_raw: false,
            keys: Keys::default(),
            text: Vec::new(),
            line: LineState::Idle,
            error: None,
            has_thread: false,
            is_closed: false,
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Ok(Self { shared: Arc::new(Shared { raw, state, changed, line: Event::new()? }) })
    }

    /// Ends the read of a line. What was typed of it is lost, as in libuv.
    fn cancel_line<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if state.line == LineState::Wanted {
            state.line = LineState::Idle;
        }
        if state.line == LineState::Reading {
            state.line = LineState::Cancelled;
            let cursor = Cursor::save();
            self.shared.press_return();
            while state.line != LineState::Idle {
                state = self.shared.next(state);
            }
            if let Some(cursor) = cursor {
                cursor.restore();
            }
        }
        state
    }
}

impl Shared {
    fn console(&self) -> HANDLE {
        handle(self.raw)
    }

    /// Waits until the state has changed.
    fn next<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases a thread that reads a line.
    fn press_return(&self) {
        // SAFETY: all bits of the struct may be zero.
        let mut record: INPUT_RECORD = unsafe { std::mem::zeroed() };
        record.EventType = KEY_EVENT as u16;
        record.Event.KeyEvent.bKeyDown = 1;
        record.Event.KeyEvent.wRepeatCount = 1;
        record.Event.KeyEvent.wVirtualKeyCode = VK_RETURN;
        record.Event.KeyEvent.uChar.UnicodeChar = u16::from(b'\r');
        let mut count = 0;
        // SAFETY: there is one record. A console that is gone has released the thread.
        unsafe { WriteConsoleInputW(self.console(), &raw const record, 1, &raw mut count) };
    }

    /// The thread that reads lines.
    fn read_lines(&self) {
        let mut state = lock(&self.state);
        while !state.is_closed {
            if state.line != LineState::Wanted {
                state = self.next(state);
                continue;
            }
            state.line = LineState::Reading;
            drop(state);
            let line = self.read_line();
            state = lock(&self.state);
            if state.line == LineState::Reading {
                match line {
                    // An event of the console has ended the call, such as Ctrl-C.
                    Ok(line) if line.is_empty() => {
                        state.line = LineState::Wanted;
                        continue;
                    }
                    Ok(line) => state.text.extend(line),
                    Err(error) => state.error = Some(error),
                }
                self.line.set();
            }
            state.line = LineState::Idle;
            self.changed.notify_all();
        }
        state.has_thread = false;
        self.changed.notify_all();
    }

    /// Reads a line, in WTF-8. Empty if the call was interrupted.
    fn read_line(&self) -> Result<Vec<u8>> {
        let (mut line, mut count) = (vec![0u16; LINE], 0);
        let (at, size) = (line.as_mut_ptr().cast(), LINE as u32);
        // SAFETY: there is room for that many characters. The handle is open: it is closed after this thread was
        // released.
        let read = unsafe { ReadConsoleW(self.console(), at, size, &raw mut count, null()) };
        if read == 0 {
            return Err(Errno::last());
        }
        line.truncate(count as usize);
        Ok(from_wide(&line))
    }
}

impl State {
    /// Reads the events of keys, until there are none or one of them has a text.
    fn read_keys(&mut self, console: HANDLE) -> Result<()> {
        while self.text.is_empty() {
            let mut count = 0;
            // SAFETY: the number is stored in a local variable.
            if unsafe { GetNumberOfConsoleInputEvents(console, &raw mut count) } == 0 {
                return Err(Errno::last());
            }
            if count == 0 {
                break;
            }
            // SAFETY: all bits of the struct may be zero.
            let mut records: [INPUT_RECORD; RECORDS] = unsafe { std::mem::zeroed() };
            let at = records.as_mut_ptr();
            // SAFETY: there is room for that many events.
            if unsafe { ReadConsoleInputW(console, at, RECORDS as u32, &raw mut count) } == 0 {
                return Err(Errno::last());
            }
            for record in &records[..count as usize] {
                match u32::from(record.EventType) {
                    KEY_EVENT => {
                        // SAFETY: the type says which field of the union is set.
                        let key = unsafe { &record.Event.KeyEvent };
                        self.keys.translate(key, &mut self.text);
                    }
                    WINDOW_BUFFER_SIZE_EVENT => {
                        signal::deliver(signal::numbers::SIGWINCH);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl Device for Input {
    fn fd_type(&self) -> FdType {
        FdType::Tty
    }

    fn access(&self) -> (bool, bool) {
        (true, false)
    }

    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let mut state = lock(&self.shared.state);
        if state.is_raw {
            state.read_keys(self.shared.console())?;
        }
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let count = state.text.len().min(buffer.len());
        buffer[..count].copy_from_slice(&state.text[..count]);
        state.text.drain(..count);
        if count == 0 { Err(Errno::EAGAIN) } else { Ok(count) }
    }

    fn await_readable(&self) -> Result<Wait> {
        let mut state = lock(&self.shared.state);
        if !state.text.is_empty() || state.error.is_some() {
            return Ok(Wait::Ready);
        }
        if state.is_raw {
            return Ok(Wait::For(self.shared.console()));
        }
        if !state.has_thread {
            let shared = Arc::clone(&self.shared);
            let builder = std::thread::Builder::new().name("mauve-console".into());
            builder.spawn(move || shared.read_lines())?;
            state.has_thread = true;
        }
        if state.line == LineState::Idle {
            self.shared.line.reset();
            state.line = LineState::Wanted;
            self.shared.changed.notify_all();
        }
        Ok(Wait::For(self.shared.line.handle()))
    }

    fn stop_waiting(&self) {
        drop(self.cancel_line(lock(&self.shared.state)));
    }

    fn waits_by_reading(&self) -> bool {
        true
    }

    fn await_writable(&self) -> Result<Wait> {
        Err(Errno::EPIPE)
    }

    fn set_mode(&self, mode: Mode) -> Result<()> {
        let flags = match mode {
            Mode::Normal => ENABLE_ECHO_INPUT | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT,
            Mode::Raw => ENABLE_WINDOW_INPUT,
            Mode::RawVt => ENABLE_WINDOW_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT,
            Mode::Io => return Err(Errno::ENOTSUP),
        };
        let mut state = self.cancel_line(lock(&self.shared.state));
        // SAFETY: takes a number. The call fails if the handle is not open.
        if unsafe { SetConsoleMode(self.shared.console(), flags) } == 0 {
            return Err(Errno::last());
        }
        state.is_raw = mode != Mode::Normal;
        // A loop that waits for a line has to wait for keys now.
        self.shared.line.set();
        Ok(())
    }

    fn close(&self) {
        let mut state = self.cancel_line(lock(&self.shared.state));
        state.is_closed = true;
        self.shared.changed.notify_all();
    }
}

//! Tests of consoles. A process of its own has one, which is made for it and has no window.

use std::ffi::c_void;
use std::io::IoSlice;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Console::{
    COORD, ClosePseudoConsole, CreatePseudoConsole, FlushConsoleInputBuffer, GetConsoleMode,
    INPUT_RECORD, KEY_EVENT, ReadConsoleOutputAttribute, ReadConsoleOutputCharacterW,
    WINDOW_BUFFER_SIZE_EVENT, WriteConsoleInputW,
};
use windows_sys::Win32::System::Threading::{
    CREATE_UNICODE_ENVIRONMENT, CreateProcessW, EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess,
    InitializeProcThreadAttributeList, PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, PROCESS_INFORMATION,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, TerminateProcess, UpdateProcThreadAttribute,
    WaitForSingleObject,
};
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{VK_RETURN, VK_UP};

use super::*;
use crate::descriptor::Descriptor;
use crate::fd::FdType;
use crate::selector::{Event, Interest, Key, Readiness, Select as _, Selector, WaitOptions, wait};
use crate::signal::{Delivery, PipeEnds, SignalPipe, numbers::SIGWINCH};
use crate::{fd, net, waker};

/// Long enough for an event that is certain.
const LONG: u32 = 60_000;
/// For an event that does not come.
const SHORT: u32 = 30;

/// Set in a process that has a console.
const IN_CONSOLE: &str = "MAUVE_TEST_IN_CONSOLE";

/// Runs the calling test in a process with a console. Returns whether this is that process.
fn in_console(test: &str) -> bool {
    if std::env::var_os(IN_CONSOLE).is_some() {
        return true;
    }
    let [input, console_input] = net::duplex_pipe([false, false]).unwrap();
    let [output, console_output] = net::duplex_pipe([false, false]).unwrap();
    let [reads, writes] = [&console_input, &console_output].map(|end| end.as_descriptor().handle());
    let mut console = 0;
    // SAFETY: the handles are open. The console is stored in a local variable.
    let made =
        unsafe { CreatePseudoConsole(COORD { X: 80, Y: 25 }, reads, writes, 0, &raw mut console) };
    assert!(made >= 0, "CreatePseudoConsole: {made:#x}");
    let shown = std::thread::spawn(move || {
        let (mut shown, mut buffer) = (Vec::new(), [0; 1024]);
        while let Ok(count @ 1..) = fd::read(output.as_descriptor(), &mut buffer) {
            shown.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8_lossy(&shown).into_owned()
    });
    let code = run(test, console);
    // SAFETY: the console was made above.
    unsafe { ClosePseudoConsole(console) };
    drop((input, console_input, console_output));
    assert_eq!(code, 0, "the test has failed in its console: {}", shown.join().unwrap());
    false
}

/// Runs a test of this program in a console. Returns its exit code.
fn run(test: &str, console: isize) -> u32 {
    let mut size = 0;
    // SAFETY: without a list, the call stores the size.
    unsafe { InitializeProcThreadAttributeList(null_mut(), 1, 0, &raw mut size) };
    let mut list = vec![0usize; size.div_ceil(size_of::<usize>())];
    let list = list.as_mut_ptr().cast();
    let name = PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE as usize;
    // SAFETY: the list has the size that the system has asked for. The attribute is the console itself.
    unsafe {
        assert_ne!(InitializeProcThreadAttributeList(list, 1, 0, &raw mut size), 0);
        let (value, size) = (console as *const c_void, size_of_val(&console));
        let set = UpdateProcThreadAttribute(list, 0, name, value, size, null_mut(), null());
        assert_ne!(set, 0);
    }
    let program = std::env::current_exe().unwrap();
    let line = format!("\"{}\" --nocapture --exact tty::windows::tests::{test}", program.display());
    let mut line: Vec<u16> = line.encode_utf16().chain([0]).collect();
    let own = std::env::vars().chain([(IN_CONSOLE.into(), "1".into())]);
    let mut variables: Vec<u16> = Vec::new();
    for (name, value) in own {
        variables.extend(format!("{name}={value}\0").encode_utf16());
    }
    variables.push(0);
    // SAFETY: all bits of both structs may be zero.
    let (mut startup, mut created): (STARTUPINFOEXW, PROCESS_INFORMATION) =
        unsafe { std::mem::zeroed() };
    startup.StartupInfo.cb = size_of::<STARTUPINFOEXW>() as u32;
    // Otherwise it inherits those of this process.
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.lpAttributeList = list;
    let flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT;
    // SAFETY: all texts end with a zero, and outlive the call.
    unsafe {
        let created_process = CreateProcessW(
            null(),
            line.as_mut_ptr(),
            null(),
            null(),
            0,
            flags,
            variables.as_ptr().cast(),
            null(),
            &raw const startup.StartupInfo,
            &raw mut created,
        );
        assert_ne!(created_process, 0);
        let [process, _thread] =
            [created.hProcess, created.hThread].map(|handle| OwnedHandle::from_raw_handle(handle));
        if WaitForSingleObject(process.as_raw_handle(), LONG) != WAIT_OBJECT_0 {
            TerminateProcess(process.as_raw_handle(), 1);
            panic!("the test does not end in its console");
        }
        let mut code = 1;
        GetExitCodeProcess(process.as_raw_handle(), &raw mut code);
        code
    }
}

/// One side of the console of this process.
fn open(name: &str) -> Descriptor {
    let file = std::fs::OpenOptions::new().read(true).write(true).open(name).unwrap();
    reopen(&mut file.into()).unwrap().unwrap()
}

fn put(console: &Descriptor, record: INPUT_RECORD) {
    let mut count = 0;
    let input: HANDLE = console.as_descriptor().handle();
    // SAFETY: there is one record.
    let put = unsafe { WriteConsoleInputW(input, &raw const record, 1, &raw mut count) };
    assert_eq!((put, count), (1, 1));
}

fn press(console: &Descriptor, code: u16, character: char) {
    // SAFETY: all bits of the struct may be zero.
    let mut record: INPUT_RECORD = unsafe { std::mem::zeroed() };
    record.EventType = KEY_EVENT as u16;
    record.Event.KeyEvent.bKeyDown = 1;
    record.Event.KeyEvent.wRepeatCount = 1;
    record.Event.KeyEvent.wVirtualKeyCode = code;
    record.Event.KeyEvent.uChar.UnicodeChar = character as u16;
    put(console, record);
}

fn set_mode(console: &Descriptor, mode: Mode) -> Result<()> {
    let console = console.as_descriptor();
    Termios::get(console)?.with_mode(mode).apply(console)
}

fn mode(console: &Descriptor) -> u32 {
    let mut mode = 0;
    // SAFETY: the mode is stored in a local variable.
    unsafe { GetConsoleMode(console.as_descriptor().handle(), &raw mut mode) };
    mode
}

/// A console and a loop that waits for it.
struct Input {
    console: Descriptor,
    selector: Selector,
    _port: Descriptor,
}

impl Input {
    fn open() -> Self {
        let port = waker::open().unwrap().fd;
        let mut selector = Selector::new(port.as_descriptor()).unwrap();
        let console = open("CONIN$");
        // SAFETY: takes a handle, which is open.
        unsafe { FlushConsoleInputBuffer(console.as_descriptor().handle()) };
        selector.register(console.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
        Self { console, selector, _port: port }
    }

    /// Waits for an event of at most `timeout` milliseconds. Returns whether there was one.
    fn wait(&mut self, timeout: u32) -> bool {
        let mut events = Vec::new();
        let selector = &mut self.selector;
        wait!(selector, WaitOptions::at_most(Some(timeout)), &mut events).unwrap();
        events == [Event::Ready { key: Key(1), readiness: Readiness::READABLE }]
    }

    /// Waits for bytes, and reads them.
    fn read(&mut self) -> Vec<u8> {
        let mut buffer = [0; 64];
        loop {
            match fd::read(self.console.as_descriptor(), &mut buffer) {
                Err(Errno::EAGAIN) => self.wait(LONG),
                count => return buffer[..count.unwrap()].to_vec(),
            };
        }
    }
}

#[test]
fn keys_are_read_in_raw_mode() {
    if !in_console("keys_are_read_in_raw_mode") {
        return;
    }
    let mut input = Input::open();
    assert_eq!(fd::fd_type(input.console.raw_descriptor()), FdType::Tty);
    assert_eq!(fd::access_mode(input.console.as_descriptor()), Ok((true, false)));
    set_mode(&input.console, Mode::Raw).unwrap();
    assert_eq!(mode(&input.console), 8);
    assert_eq!(set_mode(&input.console, Mode::Io), Err(Errno::ENOTSUP));
    let mut buffer = [0; 8];
    let empty = fd::read(input.console.as_descriptor(), &mut buffer);
    assert_eq!(empty, Err(Errno::EAGAIN));
    press(&input.console, VK_UP, '\0');
    assert_eq!(input.read(), b"\x1b[A");
    press(&input.console, 65, 'ä');
    press(&input.console, 66, 'b');
    assert_eq!(input.read(), "äb".as_bytes());
    set_mode(&input.console, Mode::RawVt).unwrap();
    assert_eq!(mode(&input.console), 0x208);
    assert_eq!(window_size(input.console.as_descriptor()), Err(Errno::EBADF));
}

#[test]
fn a_line_is_read_when_it_is_complete() {
    if !in_console("a_line_is_read_when_it_is_complete") {
        return;
    }
    let mut input = Input::open();
    for character in ['h', 'i'] {
        press(&input.console, 65, character);
        assert!(!input.wait(SHORT));
    }
    press(&input.console, VK_RETURN, '\r');
    assert_eq!(input.read(), b"hi\r\n");
    // The loop waits for a line, and then for keys. What was found before the read may be reported once.
    input.wait(SHORT);
    assert!(!input.wait(SHORT));
    set_mode(&input.console, Mode::Raw).unwrap();
    press(&input.console, 66, 'r');
    assert_eq!(input.read(), b"r");
    set_mode(&input.console, Mode::Normal).unwrap();
    assert_eq!(mode(&input.console), 7);
    // A line that is not waited for any more is left to others. The change of the mode may be an event.
    input.wait(SHORT);
    assert!(!input.wait(SHORT));
    input.selector.deregister(input.console.raw_descriptor()).unwrap();
    press(&input.console, 66, 'c');
    let mut count = 0;
    // SAFETY: the number is stored in a local variable.
    unsafe {
        GetNumberOfConsoleInputEvents(input.console.as_descriptor().handle(), &raw mut count)
    };
    assert_eq!(count, 1, "nothing reads the key");
}

#[test]
fn a_resized_window_is_a_signal() {
    if !in_console("a_resized_window_is_a_signal") {
        return;
    }
    let mut signals = SignalPipe::new(PipeEnds::open().unwrap());
    signals.watch(SIGWINCH, Delivery::Persistent).unwrap();
    let mut input = Input::open();
    set_mode(&input.console, Mode::Raw).unwrap();
    // SAFETY: all bits of the struct may be zero.
    let mut record: INPUT_RECORD = unsafe { std::mem::zeroed() };
    record.EventType = WINDOW_BUFFER_SIZE_EVENT as u16;
    put(&input.console, record);
    press(&input.console, 65, 'a');
    assert_eq!(input.read(), b"a");
    let mut received = Vec::new();
    signals.read::<8>(|event| received.push(event.signal));
    assert_eq!(received, [SIGWINCH]);
}

#[test]
fn text_is_written_to_a_window_with_a_size() {
    if !in_console("text_is_written_to_a_window_with_a_size") {
        return;
    }
    let console = open("CONOUT$");
    let output = console.as_descriptor();
    assert_eq!(fd::access_mode(output), Ok((false, true)));
    assert_eq!(window_size(output), Ok((80, 25)));
    assert_eq!(mode(&console) & 4, 4, "VT sequences are interpreted");
    assert!(fd::can_try_write(output));
    assert_eq!(fd::write(output, &[IoSlice::new(b"\x1b[H\xe2"), IoSlice::new(b"\x82")]), Ok(5));
    assert_eq!(fd::write(output, &[IoSlice::new(b"\xac\r\n")]), Ok(3));
    assert_eq!(cursor::screen(output.handle()).unwrap().dwCursorPosition.Y, 1);
    assert_eq!(set_mode(&console, Mode::Raw), Err(Errno::EINVAL));
}

#[test]
fn sequences_are_interpreted_for_a_console_that_cannot() {
    if !in_console("sequences_are_interpreted_for_a_console_that_cannot") {
        return;
    }
    set_interprets_sequences(false);
    let console = open("CONOUT$");
    assert_eq!(mode(&console) & 4, 0, "the console does not interpret sequences");
    let output = console.as_descriptor();
    let write = |text: &str| {
        let slices = [IoSlice::new(text.as_bytes())];
        assert_eq!(fd::write(output, &slices), Ok(text.len()));
        let info = cursor::screen(output.handle()).unwrap();
        let COORD { X: column, Y: row } = info.dwCursorPosition;
        (column, row, info.wAttributes)
    };
    let (_, _, style) = write("\x1bc");
    assert_eq!(write("\x1b[3;5Hx"), (5, 2, style));
    assert_eq!(write("\x1b7\x1b[99;99H"), (79, 24, style));
    assert_eq!(write("\x1b[2A\x1b[1E\x1b[3C"), (3, 23, style));
    assert_eq!(write("\x1b[32;44m"), (3, 23, 0x12));
    assert_eq!(write("\x1b8\x1b[1K\x1b[2D"), (3, 2, 0x12));
    let read = |column, row| {
        let (mut text, mut styles, mut count) = ([0; 8], [0; 8], 0);
        let (at, size) = (COORD { X: column, Y: row }, text.len() as u32);
        // SAFETY: there is room for that many characters.
        unsafe {
            let count = &raw mut count;
            ReadConsoleOutputCharacterW(output.handle(), text.as_mut_ptr(), size, at, count);
            ReadConsoleOutputAttribute(output.handle(), styles.as_mut_ptr(), size, at, count);
        }
        (String::from_utf16_lossy(&text), styles)
    };
    write("yz");
    assert_eq!(
        read(2, 2),
        (" yz     ".into(), [0x12, 0x12, 0x12, 0x12, style, style, style, style])
    );
    write("\x1b[2J");
    assert_eq!(read(2, 2), ("        ".into(), [0x12; 8]));
    assert_eq!(write("\x1b[?25l\x1bc"), (0, 0, style));
    assert_eq!(read(2, 2), ("        ".into(), [style; 8]));
}

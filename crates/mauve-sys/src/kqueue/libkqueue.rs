//! kqueue on Linux, by libkqueue: for tests of the selector (`--cfg mauve_kqueue`).

use std::ffi::{c_int, c_void};

use rustix::fs::OFlags;

/// The type of the flags of an event.
pub type Flags = u16;

#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub struct kevent {
    pub ident: usize,
    pub filter: i16,
    pub flags: u16,
    pub fflags: u32,
    pub data: isize,
    pub udata: *mut c_void,
}

pub const EVFILT_READ: i16 = -1;
pub const EVFILT_WRITE: i16 = -2;
pub const EVFILT_VNODE: i16 = -4;
pub const EVFILT_PROC: i16 = -5;
pub const EVFILT_USER: i16 = -11;
pub const EV_ADD: u16 = 1;
pub const EV_DELETE: u16 = 2;
pub const EV_CLEAR: u16 = 0x20;
pub const EV_EOF: u16 = 0x8000;
pub const NOTE_TRIGGER: u32 = 0x0100_0000;
pub const NOTE_DELETE: u32 = 1;
pub const NOTE_WRITE: u32 = 2;
pub const NOTE_EXTEND: u32 = 4;
pub const NOTE_ATTRIB: u32 = 8;
pub const NOTE_RENAME: u32 = 0x20;
pub const NOTE_EXIT: u32 = 0x8000_0000;

/// libkqueue has no filter for out-of-band data.
pub const OUT_OF_BAND: Option<(i64, u32)> = None;

/// libkqueue does not notice that a descriptor is closed.
pub const CLOSE_DELETES_FILTERS: bool = false;

/// The flags to open a file with that is only watched.
pub const WATCH_FLAGS: OFlags = OFlags::RDONLY;

#[link(name = "kqueue")]
unsafe extern "C-unwind" {
    pub fn kqueue() -> c_int;
    pub fn kevent(
        kqueue: c_int,
        changes: *const kevent,
        changes_count: c_int,
        events: *mut kevent,
        events_count: c_int,
        timeout: *const libc::timespec,
    ) -> c_int;
}

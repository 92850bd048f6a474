//! The file system watcher on Windows: `ReadDirectoryChangesW`.
//!
//! A watch has an open directory and one request, which is in flight until the directory changes. A file is
//! watched through its directory. All requests share one event, which is set when one of them is complete.
//! Starting a request resets the event, so it is set again if another request is complete by then.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::{Path, PathBuf};
use std::ptr::{NonNull, null_mut};

use windows_sys::Win32::Foundation::{HANDLE, STATUS_PENDING};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ACTION_ADDED, FILE_ACTION_MODIFIED, FILE_ACTION_REMOVED, FILE_ACTION_RENAMED_NEW_NAME,
    FILE_ACTION_RENAMED_OLD_NAME, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OVERLAPPED,
    FILE_LIST_DIRECTORY, FILE_NOTIFY_CHANGE_ATTRIBUTES, FILE_NOTIFY_CHANGE_CREATION,
    FILE_NOTIFY_CHANGE_DIR_NAME, FILE_NOTIFY_CHANGE_FILE_NAME, FILE_NOTIFY_CHANGE_LAST_ACCESS,
    FILE_NOTIFY_CHANGE_LAST_WRITE, FILE_NOTIFY_CHANGE_SECURITY, FILE_NOTIFY_CHANGE_SIZE,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, ReadDirectoryChangesW,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};

use crate::descriptor::{AsDescriptor, RawDescriptor};
use crate::event::Event;
use crate::fs::stat::fstat;
use crate::fs_watch::{FsEvent, FsEventKind, WatchId};
use crate::{Errno, Result};

/// Which changes of entries are reported.
const FILTER: u32 = FILE_NOTIFY_CHANGE_FILE_NAME
    | FILE_NOTIFY_CHANGE_DIR_NAME
    | FILE_NOTIFY_CHANGE_ATTRIBUTES
    | FILE_NOTIFY_CHANGE_SIZE
    | FILE_NOTIFY_CHANGE_LAST_WRITE
    | FILE_NOTIFY_CHANGE_LAST_ACCESS
    | FILE_NOTIFY_CHANGE_CREATION
    | FILE_NOTIFY_CHANGE_SECURITY;

/// A set of watches, and the event of their requests.
pub struct Watcher {
    event: Event,
    watches: RefCell<Watches>,
}

#[derive(Default)]
struct Watches {
    last_id: WatchId,
    /// That of the last move.
    cookie: u32,
    all: Vec<Watch>,
}

struct Watch {
    watched: Watched,
    /// The volume and the number of the watched file.
    file: (u64, u64),
    request: Request,
}

struct Watched {
    id: WatchId,
    /// The directory whose changes are requested.
    directory: PathBuf,
    /// The watched file in the directory; `None` if the directory itself is watched.
    name: Option<OsString>,
}

impl Watcher {
    /// A watcher without watches.
    pub fn new() -> Result<Self> {
        Ok(Self { event: Event::new()?, watches: RefCell::default() })
    }

    /// Watches a file or a directory. If it is already watched, the existing id is returned.
    pub fn add(&self, path: &Path) -> Result<WatchId> {
        let target = open(path)?;
        let status = fstat(target.as_raw_handle() as RawDescriptor)?;
        let file = (status.dev, status.ino);
        let mut watches = self.watches.borrow_mut();
        if let Some(watch) = watches.all.iter().find(|watch| watch.file == file) {
            return Ok(watch.watched.id);
        }
        let (directory, name, opened) = if target.metadata()?.is_dir() {
            (path.to_owned(), None, target)
        } else {
            let directory = match path.parent() {
                Some(parent) if parent != Path::new("") => parent.to_owned(),
                _ => PathBuf::from("."),
            };
            let opened = open(&directory)?;
            (directory, path.file_name().map(OsString::from), opened)
        };
        let mut request = Request::new(opened);
        request.start(&self.event)?;
        watches.last_id += 1;
        let id = watches.last_id;
        watches.all.push(Watch { watched: Watched { id, directory, name }, file, request });
        self.set_if_complete(&watches);
        Ok(id)
    }

    /// Watches a directory. `ENOTDIR` for other files, including a symbolic link to a directory.
    pub fn add_directory(&self, path: &Path) -> Result<WatchId> {
        // This does not follow links.
        if path.symlink_metadata()?.is_dir() { self.add(path) } else { Err(Errno::ENOTDIR) }
    }

    /// Removes a watch. Does nothing if it is already removed.
    pub fn remove(&self, watch: WatchId) {
        self.watches.borrow_mut().all.retain(|known| known.watched.id != watch);
    }

    /// Reads the events of all complete requests. Returns false if there are none.
    pub fn read(&self, mut receive: impl FnMut(FsEvent)) -> bool {
        let mut watches = self.watches.borrow_mut();
        self.event.reset();
        let Watches { cookie, all, .. } = &mut *watches;
        let mut any = false;
        all.retain_mut(|Watch { watched, request, .. }| {
            if !request.is_complete() {
                return true;
            }
            any = true;
            let continues = match request.finish() {
                // There were more changes than the buffer has room for.
                Ok([]) => {
                    receive(event(watched.id, FsEventKind::Overflow));
                    true
                }
                Ok(bytes) => {
                    records(bytes, |action, name| {
                        watched.report(action, name, cookie, &mut receive);
                    });
                    true
                }
                Err(_) => false,
            };
            continues && request.start(&self.event).is_ok() || {
                // The directory is deleted, or cannot be read any more.
                receive(event(watched.id, FsEventKind::Removed));
                receive(event(watched.id, FsEventKind::WatchRemoved));
                false
            }
        });
        self.set_if_complete(&watches);
        any
    }

    /// After a request was started, which has reset the event.
    fn set_if_complete(&self, watches: &Watches) {
        if watches.all.iter().any(|watch| watch.request.is_complete()) {
            self.event.set();
        }
    }
}

impl AsDescriptor for Watcher {
    /// The event that is set when changes are pending.
    fn raw_descriptor(&self) -> RawDescriptor {
        self.event.raw_descriptor()
    }
}

impl Watched {
    /// Reports one change of an entry of the directory.
    fn report(
        &self,
        action: u32,
        name: OsString,
        cookie: &mut u32,
        receive: &mut impl FnMut(FsEvent),
    ) {
        let kind = match action {
            FILE_ACTION_ADDED => FsEventKind::Created,
            FILE_ACTION_REMOVED => FsEventKind::Removed,
            FILE_ACTION_MODIFIED => FsEventKind::Changed,
            FILE_ACTION_RENAMED_OLD_NAME => FsEventKind::MovedOut,
            FILE_ACTION_RENAMED_NEW_NAME => FsEventKind::MovedIn,
            _ => return,
        };
        match &self.name {
            // The file was moved away, or another one has taken its name.
            Some(watched) if name.eq_ignore_ascii_case(watched) => receive(event(
                self.id,
                match kind {
                    FsEventKind::MovedOut => FsEventKind::Removed,
                    FsEventKind::MovedIn => FsEventKind::Created,
                    kind => kind,
                },
            )),
            Some(_) => {}
            None => {
                // Both names of a move follow each other.
                *cookie = cookie.wrapping_add(u32::from(kind == FsEventKind::MovedOut));
                let is_move = matches!(kind, FsEventKind::MovedOut | FsEventKind::MovedIn);
                receive(FsEvent {
                    watch: self.id,
                    kind,
                    is_directory: self.directory.join(&name).is_dir(),
                    name: Some(name),
                    cookie: if is_move { *cookie } else { 0 },
                });
            }
        }
    }
}

/// An event of a watched file or directory itself.
fn event(watch: WatchId, kind: FsEventKind) -> FsEvent {
    FsEvent { watch, kind, is_directory: false, name: None, cookie: 0 }
}

/// Opens a file or directory so that others may change, move and delete it.
fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.access_mode(FILE_LIST_DIRECTORY);
    options.share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED);
    Ok(options.open(path)?)
}

/// A request for the changes of a directory. The system writes to its memory while it is in flight.
struct Request {
    directory: File,
    memory: NonNull<Memory>,
    in_flight: bool,
}

struct Memory {
    overlapped: OVERLAPPED,
    /// Numbers, because the system expects this alignment.
    buffer: [u32; 4096],
}

// SAFETY: the memory belongs to no thread.
unsafe impl Send for Request {}

impl Request {
    fn new(directory: File) -> Self {
        // SAFETY: all bits of both fields may be zero.
        let memory: Box<Memory> = Box::new(unsafe { std::mem::zeroed() });
        Self { directory, memory: NonNull::from(Box::leak(memory)), in_flight: false }
    }

    fn handle(&self) -> HANDLE {
        self.directory.as_raw_handle()
    }

    fn start(&mut self, event: &Event) -> Result<()> {
        let memory = self.memory.as_ptr();
        // SAFETY: the memory is valid, and the system does not use it, because no request is in flight. It
        // stays valid until the request is complete: see `drop`.
        let started = unsafe {
            (*memory).overlapped = std::mem::zeroed();
            (*memory).overlapped.hEvent = event.handle();
            let (at, size) = (&raw mut (*memory).buffer, size_of::<[u32; 4096]>() as u32);
            let (none, overlapped) = (null_mut(), &raw mut (*memory).overlapped);
            ReadDirectoryChangesW(self.handle(), at.cast(), size, 0, FILTER, none, overlapped, None)
        };
        if started == 0 {
            return Err(Errno::last());
        }
        self.in_flight = true;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        // SAFETY: the memory is valid. The system writes the status last.
        let status =
            unsafe { (&raw const (*self.memory.as_ptr()).overlapped.Internal).read_volatile() };
        self.in_flight && status != STATUS_PENDING as usize
    }

    /// The records of a complete request. None if there were too many.
    fn finish(&mut self) -> Result<&[u8]> {
        self.wait(false)?;
        let memory = self.memory.as_ptr();
        // SAFETY: the request is complete, so the system does not use the memory, which is borrowed until the
        // next one is started. It has stored the number of bytes that it has written to the buffer.
        unsafe {
            let count = (*memory).overlapped.InternalHigh.min(size_of::<[u32; 4096]>());
            Ok(std::slice::from_raw_parts((&raw const (*memory).buffer).cast(), count))
        }
    }

    /// Ends the request. With `block`, waits until it is complete.
    fn wait(&mut self, block: bool) -> Result<()> {
        let (directory, memory, mut count) = (self.handle(), self.memory.as_ptr(), 0);
        // SAFETY: a request was started with this memory. The count is stored in a local variable.
        let done = unsafe {
            let overlapped = &raw const (*memory).overlapped;
            GetOverlappedResult(directory, overlapped, &raw mut count, block.into())
        };
        let result = if done == 0 { Err(Errno::last()) } else { Ok(()) };
        self.in_flight = false;
        result
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        if self.in_flight {
            // SAFETY: a request was started with this memory. It may be complete already.
            unsafe { CancelIoEx(self.handle(), &raw const (*self.memory.as_ptr()).overlapped) };
            // Whether it was cancelled does not matter.
            let _ = self.wait(true);
        }
        // SAFETY: it comes from a box, and no request uses it.
        drop(unsafe { Box::from_raw(self.memory.as_ptr()) });
    }
}

/// Calls `receive` with the action and the name of each record: the offset of the next one, the action, the
/// length of the name, and the name. They need not be aligned.
fn records(bytes: &[u8], mut receive: impl FnMut(u32, OsString)) {
    let mut rest = Some(bytes);
    while let Some(record) = rest {
        let Some((header, names)) = record.split_first_chunk::<12>() else { return };
        let [next, action, length] = [0, 4, 8].map(|at| {
            u32::from_ne_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        });
        let Some(name) = names.get(..length as usize) else { return };
        let units: Vec<u16> =
            name.chunks_exact(2).map(|unit| u16::from_ne_bytes([unit[0], unit[1]])).collect();
        receive(action, OsString::from_wide(&units));
        rest = record.get(next as usize..).filter(|_| next != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_where_the_one_before_says() {
        let record = |next: u32, action: u32, name: &str| {
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_ne_bytes).collect();
            let header = [next, action, units.len() as u32].map(u32::to_ne_bytes).concat();
            [header, units].concat()
        };
        let read = |bytes: &[u8]| {
            let mut all = Vec::new();
            records(bytes, |action, name| all.push((action, name.into_string().unwrap())));
            all
        };
        let bytes = [record(18, 1, "one"), record(0, 2, "two"), record(0, 3, "after")].concat();
        assert_eq!(read(&bytes), [(1, "one".to_owned()), (2, "two".to_owned())]);
        assert_eq!(read(&record(0, 1, "one")[..15]), []);
        assert_eq!(read(&[]), []);
    }
}

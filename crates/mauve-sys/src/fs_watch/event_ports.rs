//! The file system watcher on illumos and Solaris: the file source of event ports.
//!
//! The port forgets a file when it has reported an event, so the watcher associates it again with the
//! times of that moment. For a directory the system reports only that its entries have changed, so
//! the watcher compares them with those that it knows.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int};
use std::mem::{MaybeUninit, offset_of};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType};

use super::snapshot::Snapshot;
use crate::fs_watch::{FsEvent, FsEventKind, WatchId};
use crate::waker::open_port;
use crate::{Errno, Result};

// Not declared by the crate libc.
const FILE_MODIFIED: c_int = 2;
const FILE_ATTRIB: c_int = 4;
const FILE_DELETE: c_int = 0x10;
const FILE_RENAME_TO: c_int = 0x20;
const FILE_RENAME_FROM: c_int = 0x40;
const UNMOUNTED: c_int = 0x2000_0000;
const MOUNTED_OVER: c_int = 0x4000_0000;

/// `struct file_obj`.
#[repr(C)]
struct FileObject {
    accessed: libc::timespec,
    modified: libc::timespec,
    changed: libc::timespec,
    padding: [usize; 3],
    name: *mut c_char,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<FileObject>() == 80 && offset_of!(FileObject, name) == 72);

/// An event port with a source for each watch.
pub struct Watcher {
    port: OwnedFd,
    watches: RefCell<Watches>,
}

#[derive(Default)]
struct Watches {
    last_id: WatchId,
    by_id: HashMap<WatchId, Watch>,
}

struct Watch {
    /// The system stores times in it, and identifies the source by its address.
    object: Box<FileObject>,
    /// `object` points to its bytes.
    _name: CString,
    /// The device and the inode.
    file: (u64, u64),
    path: PathBuf,
    /// `None` if it is not a directory.
    entries: Option<Snapshot>,
}

impl Watcher {
    /// Opens a watcher without watches. Its descriptor is closed on exec.
    pub fn new() -> Result<Self> {
        Ok(Self { port: open_port()?, watches: RefCell::default() })
    }

    /// Watches a file or a directory. If it is already watched, the existing id is returned.
    pub fn add(&self, path: &Path) -> Result<WatchId> {
        self.add_with(path, false)
    }

    /// Watches a directory. `ENOTDIR` for other files, including a symbolic link to a directory.
    pub fn add_directory(&self, path: &Path) -> Result<WatchId> {
        self.add_with(path, true)
    }

    fn add_with(&self, path: &Path, only_directory: bool) -> Result<WatchId> {
        let flags = if only_directory { AtFlags::SYMLINK_NOFOLLOW } else { AtFlags::empty() };
        let status = rustix::fs::statat(CWD, path, flags)?;
        let is_directory = FileType::from_raw_mode(status.st_mode) == FileType::Directory;
        if only_directory && !is_directory {
            return Err(Errno::ENOTDIR);
        }
        let file = (status.st_dev as u64, status.st_ino as u64);
        let mut watches = self.watches.borrow_mut();
        if let Some((id, _)) = watches.by_id.iter().find(|(_, watch)| watch.file == file) {
            return Ok(*id);
        }
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
        // SAFETY: all zeros are a valid object: times, and null pointers.
        let mut object: Box<FileObject> = Box::new(unsafe { MaybeUninit::zeroed().assume_init() });
        object.name = name.as_ptr().cast_mut();
        let id = watches.last_id + 1;
        associate(self.port.as_raw_fd(), &mut object, id, path)?;
        watches.last_id = id;
        // After the source was added, so that no change is missed.
        let entries = is_directory.then(|| Snapshot::of(path));
        let watch = Watch { object, _name: name, file, path: path.to_owned(), entries };
        watches.by_id.insert(id, watch);
        Ok(id)
    }

    /// Removes a watch. Does nothing if it is already removed.
    pub fn remove(&self, watch: WatchId) {
        if let Some(removed) = self.watches.borrow_mut().by_id.remove(&watch) {
            let object = std::ptr::from_ref(&*removed.object) as libc::uintptr_t;
            let source = libc::PORT_SOURCE_FILE;
            // Fails if the source has reported an event.
            // SAFETY: the object is still allocated.
            unsafe { libc::port_dissociate(self.port.as_raw_fd(), source, object) };
        }
    }

    /// Reads a buffer of events. Returns false if there are none.
    pub fn read(&self, mut receive: impl FnMut(FsEvent)) -> bool {
        let mut any = false;
        loop {
            let mut event = MaybeUninit::<libc::port_event>::uninit();
            let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            let port = self.port.as_raw_fd();
            // SAFETY: the call fills the event if it succeeds.
            if unsafe { libc::port_get(port, event.as_mut_ptr(), &raw mut now) } != 0 {
                return any;
            }
            // SAFETY: the call has succeeded.
            let event = unsafe { event.assume_init() };
            any = true;
            let id = event.portev_user as usize as WatchId;
            self.watches.borrow_mut().handle(port, id, event.portev_events, &mut receive);
        }
    }
}

impl Watches {
    fn handle(
        &mut self,
        port: RawFd,
        id: WatchId,
        events: c_int,
        receive: &mut impl FnMut(FsEvent),
    ) {
        let Some(watch) = self.by_id.get_mut(&id) else { return };
        let is_directory = watch.entries.is_some();
        let own = |kind| FsEvent { watch: id, kind, is_directory, name: None, cookie: 0 };
        let gone = FILE_DELETE | FILE_RENAME_FROM | UNMOUNTED;
        // Before the entries are read, so that no change is missed.
        let associated =
            events & gone == 0 && associate(port, &mut watch.object, id, &watch.path).is_ok();
        if let Some(entries) = watch.entries.as_mut().filter(|_| events & FILE_MODIFIED != 0) {
            entries.update(&watch.path, |kind, name, is_directory| {
                receive(FsEvent { watch: id, kind, is_directory, name: Some(name), cookie: 0 });
            });
        }
        if events & FILE_ATTRIB != 0 || !is_directory && events & FILE_MODIFIED != 0 {
            receive(own(FsEventKind::Changed));
        }
        if events & (gone | FILE_RENAME_TO | MOUNTED_OVER) != 0 {
            receive(own(FsEventKind::Removed));
        }
        if !associated {
            receive(own(FsEventKind::WatchRemoved));
            self.by_id.remove(&id);
        }
    }
}

/// Associates the file with the port. Changes since the times of its status are reported.
fn associate(port: RawFd, object: &mut FileObject, id: WatchId, path: &Path) -> Result<()> {
    let status = rustix::fs::stat(path)?;
    let time = |seconds, nanoseconds| libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    object.accessed = time(status.st_atime, status.st_atime_nsec);
    object.modified = time(status.st_mtime, status.st_mtime_nsec);
    object.changed = time(status.st_ctime, status.st_ctime_nsec);
    let (source, events) = (libc::PORT_SOURCE_FILE, FILE_MODIFIED | FILE_ATTRIB);
    let user = id as usize as *mut libc::c_void;
    let object = std::ptr::from_mut(object) as libc::uintptr_t;
    // SAFETY: the object and its name stay allocated while the source is associated.
    match unsafe { libc::port_associate(port, source, object, events, user) } {
        -1 => Err(Errno::last()),
        _ => Ok(()),
    }
}

impl AsFd for Watcher {
    /// The descriptor that is readable when events are pending.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.port.as_fd()
    }
}

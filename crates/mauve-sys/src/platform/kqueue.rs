//! What the systems with kqueue have in common: macOS and the BSDs.

#[path = "../child_exit/kqueue.rs"]
pub mod child_exit;
#[path = "../fs/entry_type.rs"]
pub mod directory;
#[path = "../fs_watch/kqueue.rs"]
pub mod fs_watch;
#[path = "../selector/kevent.rs"]
mod kevent;
#[path = "../net/peer_id.rs"]
pub mod peer_id;
#[path = "../thread/priority.rs"]
pub mod priority;
#[path = "../thread/process_nice.rs"]
pub mod process_nice;
#[path = "../selector/registrations.rs"]
mod registrations;
#[path = "../selector/kqueue.rs"]
pub mod selector;
#[path = "../fs_watch/snapshot.rs"]
mod snapshot;
#[path = "../os/sysctl.rs"]
pub mod sysctl;
#[path = "../fs_watch/vnode.rs"]
mod vnode;
#[path = "../waker/kqueue.rs"]
pub mod waker;

pub use libc::SA_NOCLDWAIT;

/// The size of the longest path, with its terminating zero.
pub const PATH_MAX: usize = libc::PATH_MAX as usize;

/// `close` deletes the filters of a descriptor, even if it has duplicates.
pub const CLOSE_DELETES_FILTERS: bool = true;

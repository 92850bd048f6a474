//! `uv_fs_*`.
//!
//! Each exported function builds an [`FsCall`](call::FsCall) from its arguments, with the operation
//! of `mauve-sys` that performs it. Without a callback the operation runs at once. With one a pool
//! thread runs it, and [`complete`] calls back on the loop thread. Some operations are first
//! attempted on the loop thread without blocking, if a pool thread would start them at once. The
//! engine attempts reads of one callback as a batch.
//!
//! Ownership of the fields of a `uv_fs_t`:
//! * `path` is the pointer of the program in a request without callback, and a copy otherwise. The
//!   functions that generate a name always use a copy.
//! * `ptr` is owned by the request, except for a `uv_dir_t`, which exists until `uv_fs_closedir`.
//! * While a pool thread performs the request, it owns all fields but `id`.
//!
//! [`uv_fs_req_cleanup`](cleanup::uv_fs_req_cleanup) frees all of this.

mod call;
mod cleanup;
mod copy;
mod directory;
mod getters;
mod links;
mod names;
mod open;
mod permissions;
mod read_write;
mod scandir;
pub(crate) mod stat;
mod sync;
mod temporary;
mod times;

pub(crate) use call::{INTERRUPTIBLE, Operation, complete, interrupt};
pub(crate) use read_write::on_read;

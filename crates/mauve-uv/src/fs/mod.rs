//! `uv_fs_*`.
//!
//! Each exported function makes a [`Call`](call::Call) of what it was given and names the operation of
//! `mauve-sys` that performs it. Without a callback the operation runs at once; with one a thread of
//! the pool runs it, and [`complete`] calls back on the loop's thread. A few operations are
//! attempted on the loop's thread first, in a way that never blocks, if a thread of the pool would
//! start them at once. The engine attempts reads of one callback as a batch.
//!
//! Who owns what in a `uv_fs_t`:
//! * `path` is the program's own pointer in a request without callback, and a copy otherwise. The
//!   functions that make up a name always work on a copy.
//! * `ptr` is ours, except for a `uv_dir_t`, which lives until `uv_fs_closedir`.
//! * While a thread of the pool is at work, all fields but `id` are that thread's.
//!
//! All of it is freed by [`uv_fs_req_cleanup`](cleanup::uv_fs_req_cleanup).

mod attributes;
mod call;
mod cleanup;
mod copy;
mod directory;
mod getters;
mod links;
mod names;
mod open;
mod read_write;
mod scan;
pub(crate) mod stat;
mod sync;
mod temporary;
mod times;

pub(crate) use call::{Operation, complete};
pub(crate) use read_write::read_ended;

//! libuv's C ABI on mauve's engine.
//!
//! Builds `libuv.so.1` and `libuv.a`. One file per section of `uv.h`; each exported function is
//! a few lines that check arguments as libuv does and hand over to the engine. Callbacks are run
//! in one place, [`dispatch`], with no borrow of anything of ours held.
//!
//! * [`abi`]: the types, checked against libuv's layout at compile time.
//! * [`ffi`]: pointers from C, and how misuse is reported.
//! * [`check`]: the mode in which every misuse that can be told is told.
//! * [`state`]: what stands behind a `uv_loop_t`.

#![allow(missing_docs)] // The functions are libuv's, and documented there.

#[macro_use] // `#[export]`, which all files need.
extern crate mauve_export;

pub mod abi;
mod address;
mod allocator;
mod async_;
mod buffers;
mod check;
mod cork;
mod dispatch;
mod dll;
mod dns;
mod errors;
mod ffi;
mod fs;
mod fs_event;
mod fs_poll;
mod handle;
mod hooks;
mod listing;
mod loop_;
mod metrics;
mod nested;
mod os;
mod pipe;
mod poll;
mod process;
mod random;
mod request;
mod signal;
mod state;
mod stream;
mod tcp;
mod text;
mod thread;
mod time;
mod timer;
mod tty;
mod udp;
mod unwinding;
mod version;
mod why;
mod work;
mod wtf8;

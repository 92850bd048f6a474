//! libuv's C ABI on mauve's engine.
//!
//! Builds `libuv.so.1` and `libuv.a`. One file per section of `uv.h`. Each exported function checks
//! its arguments as libuv does and calls the engine. Callbacks run in [`dispatch`] alone, with
//! no borrow of library state held.
//!
//! * [`abi`]: the types, checked against libuv's layout at compile time.
//! * [`ffi`]: pointers from C, and how misuse is reported.
//! * [`check`]: `MAUVE_CHECK=1`, the mode that detects and reports misuse.
//! * [`state`]: the Rust state of a `uv_loop_t`.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]
#![allow(missing_docs)] // libuv documents its functions.

pub mod abi;
mod address;
mod allocator;
mod async_;
mod buffers;
mod callback_names;
mod check;
mod describe;
mod dispatch;
mod dll;
mod dns;
mod errors;
mod ffi;
mod file;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod find_object;
mod fs;
mod fs_event;
mod fs_poll;
mod handle;
mod hooks;
mod loop_;
mod metrics;
mod nested;
mod os;
mod pipe;
mod poll;
mod print_handles;
mod process;
mod random;
mod request;
mod signal;
mod state;
mod stream;
mod system;
mod tcp;
mod text;
mod thread;
mod time;
mod timer;
mod tty;
mod udp;
mod unwinding;
mod version;
mod work;
mod wtf8;

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod find_object {
    /// Only glibc has the function.
    pub(crate) fn prepare() {}
}

//! libuv's event loop in safe Rust: closures and async/await on one thread.
//!
//! A [`Loop`] repeats seven phases: timers, pending, idle, prepare, poll, check, close. Handles
//! belong to a loop and call closures:
//!
//! ```
//! use std::time::Duration;
//! use mauve::{Loop, RunMode, Timer};
//!
//! let lp: Loop = Loop::new()?;
//! let mut left = 3;
//! Timer::new(&lp).every(Duration::from_millis(1), move |_, timer| {
//!     left -= 1;
//!     if left == 0 {
//!         timer.close();
//!     }
//! })?;
//! lp.run(RunMode::Default)?;
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! Closures own what they capture. To share data between them, use the loop's *state*: a value of
//! your own type that every callback gets as `&mut S`. No `Rc<RefCell<_>>` is needed:
//!
//! ```
//! use std::time::Duration;
//! use mauve::{Idle, Loop, RunMode, Timer};
//!
//! #[derive(Default)]
//! struct Game { frames: u32, over: bool }
//!
//! let lp = Loop::<Game>::new()?;
//! Timer::new(&lp).once(Duration::from_millis(5), |game, _| game.over = true)?;
//! Idle::new(&lp).start(|game, idle| {
//!     game.frames += 1;
//!     if game.over {
//!         idle.stop();
//!     }
//! })?;
//!
//! let mut game = Game::default();
//! lp.run_with(&mut game, RunMode::Default)?;
//! assert!(game.over && game.frames > 0);
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! Tasks run on the same loop:
//!
//! ```
//! use std::time::Duration;
//! use mauve::Loop;
//!
//! let lp: Loop = Loop::new()?;
//! let product = lp.block_on(async {
//!     let task = mauve::spawn_blocking(|| 6 * 7);
//!     mauve::sleep(Duration::from_millis(1)).await;
//!     task.await
//! });
//! assert_eq!(product, Ok(42));
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! Programs for tokio need few changes: [coming from tokio](coming_from_tokio) has a table of calls.
//!
//! A handle value ([`Timer`], [`Poll`], ...) is a reference to a handle that the loop owns. Cloning
//! it gives another reference, and dropping it does not close the handle. A handle lives until
//! `close` is called or the loop is dropped. A connection that [`Tcp::listen`] or [`Pipe::listen`]
//! hands over is also closed when nothing refers to it any more. Operations on a closed handle
//! return [`Errno::EINVAL`].
//!
//! # Features
//! `tracing`: spans and events of the crate [`tracing`](https://docs.rs/tracing). The spans `run`
//! and `callback` have the target `mauve::loop`. The spans `task`, `block_on` and `blocking`, and the
//! events of tasks that panic or are aborted, have the target `mauve::task`. Without the feature they
//! cost nothing.

#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod box_cache;
mod callback_names;
mod callbacks;
#[cfg(doc)]
pub mod coming_from_tokio;
mod core;
pub mod dns;
pub mod fs;
mod handle;
pub mod io;
mod loop_;
#[doc(hidden)]
pub mod macro_support;
mod metrics;
pub mod net;
pub mod process;
mod run;
pub mod signal;
mod task;
pub mod time;
// The variants have the same functions.
#[cfg_attr(feature = "tracing", path = "trace/enabled.rs")]
#[cfg_attr(not(feature = "tracing"), path = "trace/disabled.rs")]
mod trace;
mod transfer;
mod work;
mod workers;

pub use crate::core::thread_pool_size;
pub use handle::{
    AnyHandle, Async, AsyncSender, Check, Datagram, FsEvent, FsEventKind, FsPoll, FsPollEvent,
    Idle, Pipe, Poll, Prepare, Process, RecursiveMode, Signal, Stdio, Stream, Tcp, Timer, Tty, Udp,
    Watcher,
};
pub use loop_::{Loop, LoopRef, RunMode};
pub use mauve_core::handle::stream::TcpBindFlags;
pub use mauve_core::handle::udp::{SendQueue as UdpSendQueue, UdpBindFlags};
pub use mauve_core::wakeups::SendError;
pub use mauve_core::why::{LoopItem, LoopItemKind};
pub use mauve_core::{HandleKind, Phase};
/// Runs an `async fn main` on a new [`Loop`]. It ends when the function returns: tasks that still run
/// are dropped.
///
/// ```
/// use std::io;
/// use std::time::Duration;
///
/// #[mauve::main]
/// async fn main() -> io::Result<()> {
///     let task = mauve::spawn(async {
///         mauve::sleep(Duration::from_millis(1)).await;
///         6 * 7
///     });
///     assert_eq!(task.await?, 42);
///     Ok(())
/// }
/// ```
///
/// A loop runs on one thread, so there are no options for threads: [`workers()`] uses all cores. A
/// program that imports this crate by another name writes `#[mauve::main(crate = path)]`.
///
/// The function has no parameters. It may have any name and any output.
///
/// # Panics
/// The function panics if no loop can be created.
pub use mauve_macros::main;
/// Makes a test of an `async fn`, which runs on a [`Loop`] of its own.
///
/// ```
/// # // The attribute makes no test here, because the example is not compiled as one.
/// #[mauve::test]
/// async fn a_sleep_takes_its_time() {
///     let before = std::time::Instant::now();
///     mauve::sleep(std::time::Duration::from_millis(1)).await;
///     assert!(before.elapsed() >= std::time::Duration::from_millis(1));
/// }
/// ```
///
/// It adds `#[test]`, so `#[ignore]` and `#[should_panic]` work as with any test. The options are
/// those of [`main`].
pub use mauve_macros::test;
pub use mauve_sys::clock::hrtime;
pub use mauve_sys::driver::{Interest, Readiness};
pub use mauve_sys::fs::stat::{Stat, Timespec};
pub use mauve_sys::os;
pub use mauve_sys::tty::{Mode as TtyMode, restore as tty_reset_mode};
pub use mauve_sys::{Errno, Result};
pub use metrics::{LoopMetrics, TaskMetrics};
pub use task::{
    AbortHandle, AbortOnDrop, BlockingTask, JoinError, JoinHandle, JoinSet, LoopHandle,
    RemoteJoinHandle, YieldNow, spawn, spawn_blocking, yield_now,
};
pub use time::{Elapsed, Sleep, Timeout, sleep, timeout};
pub use work::{WorkError, WorkRequest};
pub use workers::{ShutdownHandle, Worker, Workers, workers};

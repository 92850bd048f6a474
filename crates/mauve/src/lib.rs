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
//! [`ecosystem`] says which crates work with this one, and how.
//!
//! A handle value ([`Timer`], [`Poll`], ...) is a reference to a handle that the loop owns. Cloning
//! it gives another reference, and dropping it does not close the handle. A handle lives until
//! `close` is called or the loop is dropped. A connection that [`Tcp::listen`] or [`Pipe::listen`]
//! hands over is also closed when nothing refers to it any more. Operations on a closed handle
//! return [`Errno::EINVAL`].
//!
//! # Errors
//! Handles with callbacks, and the loop itself, return [`Errno`], the number of the system: [`Result`] has
//! it as its default. Tasks get [`std::io::Error`], as from the standard library. Each converts into the
//! other, so `?` works in both directions: `Errno::from` restores the number of an `io::Error`, and an error
//! without a number is [`Errno::EIO`]. The errors of tasks, jobs and time limits ([`JoinError`],
//! [`WorkError`], [`Elapsed`]) convert into `io::Error`, too.
//!
//! # Features
//! - `tracing`: spans and events of the crate [`tracing`](https://docs.rs/tracing). The spans
//!   `run` and `callback` have the target `mauve::loop`. The spans `task`, `block_on` and `blocking`, and the
//!   events of tasks that panic or are aborted, have the target `mauve::task`. Without the feature they cost
//!   nothing.
//! - `host`: what mauve's own layer for JavaScript needs. Semantic versioning does not cover it.

#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doc)]
pub mod coming_from_tokio;
mod core;
pub mod dns;
#[cfg(doc)]
pub mod ecosystem;
pub mod fs;
mod handle;
mod home;
#[cfg(feature = "host")]
mod host;
pub mod io;
mod loop_;
#[doc(hidden)]
pub mod macro_support;
mod metrics;
pub mod net;
pub mod os;
mod os_io;
mod panic;
pub mod process;
mod run;
mod running;
pub mod signal;
pub mod sim;
mod targets;
mod task;
mod thread_bound;
pub mod time;
// The variants have the same functions.
#[cfg_attr(feature = "tracing", path = "trace/enabled.rs")]
#[cfg_attr(not(feature = "tracing"), path = "trace/disabled.rs")]
mod trace;
mod transfer;
mod udp_methods;
mod work;
mod workers;
mod writes;

pub use crate::core::thread_pool_size;
pub use handle::{
    AnyHandle, Async, AsyncSender, Check, Datagram, FsEvent, FsEventKind, FsPoll, FsPollEvent,
    Idle, Pipe, Poll, Prepare, Process, ProcessStdio, RecursiveMode, Signal, Stream, Tcp, Timer,
    Tty, Udp, Watcher,
};
pub use loop_::{Loop, LoopBuilder, LoopRef, RunMode};
#[doc(inline)]
pub use mauve_core::{
    HandleKind, Phase,
    handle::stream::TcpBindFlags,
    handle::udp::{SendQueue as UdpSendQueue, UdpBindFlags},
    wakeups::SendError,
    why::{LoopItem, LoopItemKind},
};
/// Runs an `async fn main` on a new [`Loop`]. It ends when the function returns: tasks that still run
/// are dropped, and it waits for the jobs of [`spawn_blocking`] that run.
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
/// program that imports this crate by another name writes `#[mauve::main(crate = path)]`. With
/// `start_paused = true`, [time is paused](time::pause).
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
/// A test with paused time takes no time, however long it sleeps:
///
/// ```
/// #[mauve::test(start_paused = true)]
/// async fn a_timeout_of_an_hour_elapses() {
///     let hour = std::time::Duration::from_secs(3600);
///     assert!(mauve::timeout(hour, std::future::pending::<()>()).await.is_err());
/// }
/// ```
///
/// With `sim`, it runs under a hundred [orders of events](sim), and with `sim = 1000` under a thousand:
///
/// ```
/// #[mauve::test(sim)]
/// async fn a_job_ends_before_an_hour_has_passed() {
///     let hour = std::time::Duration::from_secs(3600);
///     let job = mauve::spawn_blocking(|| 6 * 7);
///     assert_eq!(mauve::timeout(hour, job).await.unwrap(), Ok(42));
/// }
/// ```
///
/// With `sim, faults = 0.01`, one [call in a hundred fails](sim::run_with_faults), too.
///
/// It adds `#[test]`, so `#[ignore]` and `#[should_panic]` work as with any test. The other options are
/// those of [`main`].
pub use mauve_macros::test;
#[doc(inline)]
pub use mauve_sys::{
    Errno, Result,
    driver::{Interest, Readiness},
    fs::stat::{Stat, Timespec},
    tty::{Mode as TtyMode, restore as restore_terminal},
};
pub use metrics::{LoopMetrics, TaskMetrics};
pub use panic::PanicPayload;
pub use task::{
    AbortHandle, AbortOnDrop, BlockingTask, Cooperative, JoinError, JoinHandle, JoinSet,
    LoopHandle, RemoteJoinHandle, YieldNow, consume_budget, cooperative, spawn, spawn_blocking,
    yield_now,
};
pub use thread_bound::ThreadBound;
pub use time::{Elapsed, Sleep, Timeout, sleep, timeout};
pub use work::{WorkError, WorkRequest};
pub use workers::{ShutdownHandle, Worker, Workers, workers};

//! libuv's event loop in safe Rust: closures and async/await on one thread.
//!
//! A [`Loop`] runs seven phases over and over: timers, pending, idle, prepare, poll, check,
//! close. Handles hang on it and call closures:
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
//! Closures own what they capture. What several of them share is the loop's *state*: a value of
//! your own that every callback gets as `&mut S`, so there is nothing to wrap in `Rc<RefCell<_>>`:
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
//! let answer = lp.block_on(async {
//!     let slow = mauve::spawn_blocking(|| 6 * 7);
//!     mauve::sleep(Duration::from_millis(1)).await;
//!     slow.await
//! });
//! assert_eq!(answer, Ok(42));
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! A handle value ([`Timer`], [`Poll`], ...) is a name for something that lives on the loop:
//! cloning it gives another name, and dropping it changes nothing. The thing itself ends with
//! `close`, or with the loop. Operations on a closed handle return [`Errno::EINVAL`].

#![forbid(unsafe_code)]

mod calls;
mod core;
pub mod dns;
pub mod fs;
mod handle;
mod loop_;
pub mod net;
pub mod process;
mod spare;
mod task;
mod work;

pub use crate::core::pool_size;
pub use handle::{
    AnyHandle, Async, Change, Check, Datagram, Depth, FileChange, FileEvent, FilePoll, Idle, Pipe,
    Place, Poll, Prepare, Process, Sender, Signal, Tcp, Timer, Tty, Udp, Watcher,
};
pub use loop_::{Loop, RunMode};
pub use mauve_core::handle::stream::BindFlags;
pub use mauve_core::handle::udp::{BindFlags as UdpBindFlags, Load};
pub use mauve_core::wakeups::Closed;
pub use mauve_core::why::{Item, ItemKind};
pub use mauve_core::{CorkPolicy, Counters, Kind, Phase};
pub use mauve_sys::clock::hrtime;
pub use mauve_sys::driver::{Interest, Readiness};
pub use mauve_sys::fs::stat::{Stat, Time};
pub use mauve_sys::os;
pub use mauve_sys::tty::{Mode as TtyMode, restore as tty_reset_mode};
pub use mauve_sys::{Errno, Result};
pub use task::{
    Blocking, Elapsed, JoinError, JoinHandle, Sleep, Timeout, YieldNow, sleep, spawn,
    spawn_blocking, timeout, yield_now,
};
pub use work::{Work, WorkError};

//! Child processes, for tasks.
//!
//! ```
//! use futures_lite::AsyncReadExt;
//! use mauve::Loop;
//! use mauve::process::{Command, Stdio};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let mut child = Command::new("echo").arg("hello").stdout(Stdio::piped()).spawn()?;
//!     let mut text = String::new();
//!     child.stdout.take().unwrap().read_to_string(&mut text).await?;
//!     assert_eq!(text, "hello\n");
//!     assert!(child.wait().await?.success());
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod child;
mod command;
pub(crate) mod orphans;
mod stdio;

pub use std::process::{ExitStatus, Output};

pub use child::{Child, Wait};
pub use command::Command;
pub use mauve_sys::process::{ExitStatus as ProcessExit, ProcessOptions, kill};
pub use mauve_sys::signal::numbers::*;
pub use stdio::{ChildStderr, ChildStdin, ChildStdout, Stdio};

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
#[doc(inline)]
pub use mauve_sys::process::{ExitStatus as ProcessExit, ProcessOptions};
pub use stdio::{ChildStderr, ChildStdin, ChildStdout, Stdio};

use std::io;

use crate::Errno;
use crate::signal::SignalKind;

/// Sends a signal to a process. Signal 0 only checks whether the process exists.
///
/// # Errors
/// `ESRCH` if there is no such process, `EPERM` if it belongs to another user.
#[doc(alias = "uv_kill")]
pub fn kill(pid: u32, signal: impl Into<SignalKind>) -> io::Result<()> {
    // Zero and negative numbers are process groups.
    let pid = i32::try_from(pid).ok().filter(|pid| *pid > 0).ok_or(Errno::ESRCH)?;
    Ok(mauve_sys::process::kill(pid, signal.into().as_raw_value())?)
}

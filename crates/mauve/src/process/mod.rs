//! Other processes.
//!
//! ```
//! use futures_lite::AsyncReadExt;
//! use mauve::Loop;
//! use mauve::process::{Command, Stdio};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let mut child = Command::new("echo").arg("hello").stdout(Stdio::Pipe).spawn()?;
//!     let mut text = String::new();
//!     child.stdout.take().unwrap().read_to_string(&mut text).await?;
//!     assert_eq!(text, "hello\n");
//!     assert!(child.status().await.success());
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod child;
mod command;

pub use child::{Child, Status};
pub use command::{Command, Stdio};
pub use mauve_sys::process::{Command as Program, Exit, kill};
pub use mauve_sys::signal::numbers::*;

//! The signals that programs use most.

/// The terminal is gone.
pub const SIGHUP: i32 = libc::SIGHUP;
/// The user interrupts the program.
pub const SIGINT: i32 = libc::SIGINT;
/// As `SIGINT`, with a dump.
pub const SIGQUIT: i32 = libc::SIGQUIT;
/// Ends a process. Cannot be caught.
pub const SIGKILL: i32 = libc::SIGKILL;
/// For the program to use.
pub const SIGUSR1: i32 = libc::SIGUSR1;
/// For the program to use.
pub const SIGUSR2: i32 = libc::SIGUSR2;
/// Requests that a process end.
pub const SIGTERM: i32 = libc::SIGTERM;
/// A child has ended.
pub const SIGCHLD: i32 = libc::SIGCHLD;
/// Lets a stopped process go on.
pub const SIGCONT: i32 = libc::SIGCONT;
/// Stops a process. Cannot be caught.
pub const SIGSTOP: i32 = libc::SIGSTOP;
/// Requests that a process stop.
pub const SIGTSTP: i32 = libc::SIGTSTP;
/// The terminal has another size.
pub const SIGWINCH: i32 = libc::SIGWINCH;

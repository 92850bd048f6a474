//! The numbers of common signals.

/// The terminal has hung up.
pub const SIGHUP: i32 = libc::SIGHUP;
/// Interrupt from the terminal (Ctrl-C).
pub const SIGINT: i32 = libc::SIGINT;
/// Quit from the terminal, with a core dump.
pub const SIGQUIT: i32 = libc::SIGQUIT;
/// Terminates a process. Cannot be caught.
pub const SIGKILL: i32 = libc::SIGKILL;
/// User-defined.
pub const SIGUSR1: i32 = libc::SIGUSR1;
/// User-defined.
pub const SIGUSR2: i32 = libc::SIGUSR2;
/// Requests termination.
pub const SIGTERM: i32 = libc::SIGTERM;
/// A child has exited or stopped.
pub const SIGCHLD: i32 = libc::SIGCHLD;
/// Continues a stopped process.
pub const SIGCONT: i32 = libc::SIGCONT;
/// Stops a process. Cannot be caught.
pub const SIGSTOP: i32 = libc::SIGSTOP;
/// Stop from the terminal (Ctrl-Z).
pub const SIGTSTP: i32 = libc::SIGTSTP;
/// The window size of the terminal has changed.
pub const SIGWINCH: i32 = libc::SIGWINCH;
/// A timer of the process expired.
pub const SIGALRM: i32 = libc::SIGALRM;
/// A descriptor is ready.
pub const SIGIO: i32 = libc::SIGIO;
/// A write to a pipe or socket without a reader.
pub const SIGPIPE: i32 = libc::SIGPIPE;

//! The numbers of common signals. Those that Windows does not have are the numbers of Linux, which no call
//! accepts.

/// The console window was closed.
pub const SIGHUP: i32 = 1;
/// Interrupt from the console (Ctrl-C).
pub const SIGINT: i32 = 2;
/// Terminates a process.
pub const SIGQUIT: i32 = 3;
/// Terminates a process. Cannot be caught.
pub const SIGKILL: i32 = 9;
/// Not on Windows.
pub const SIGUSR1: i32 = 10;
/// Not on Windows.
pub const SIGUSR2: i32 = 12;
/// Not on Windows.
pub const SIGPIPE: i32 = 13;
/// Not on Windows.
pub const SIGALRM: i32 = 14;
/// Requests termination.
pub const SIGTERM: i32 = 15;
/// Not on Windows.
pub const SIGCHLD: i32 = 17;
/// Not on Windows.
pub const SIGCONT: i32 = 18;
/// Not on Windows.
pub const SIGSTOP: i32 = 19;
/// Not on Windows.
pub const SIGTSTP: i32 = 20;
/// Ctrl-Break in the console.
pub const SIGBREAK: i32 = 21;
/// The window size of the console has changed.
pub const SIGWINCH: i32 = 28;
/// Not on Windows.
pub const SIGIO: i32 = 29;

//! Terminals: modes, window size, and reopening a terminal for non-blocking use.

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        pub use windows::*;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        mod termios;
        use linux as system;
        pub(crate) use termios::release_after_fork;
        pub use termios::*;
    } else {
        mod termios;
        mod unix;
        pub(crate) use termios::release_after_fork;
        pub use termios::*;
        use unix as system;
    }
}

/// The mode of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_tty_mode_t")]
#[non_exhaustive]
pub enum Mode {
    /// The original settings: line editing, and signals for special characters.
    #[default]
    Normal,
    /// Input is delivered character by character; output is still processed.
    Raw,
    /// As [`Raw`](Self::Raw). On Windows the console makes the sequences of keys.
    RawVt,
    /// Neither input nor output is processed (`cfmakeraw`).
    Io,
}

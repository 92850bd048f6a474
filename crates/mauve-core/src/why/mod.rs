//! Why a loop is alive: everything that hangs on it, in words.
//!
//! [`Engine::inventory`](crate::Engine::inventory) lists all handles and requests of a loop,
//! [`Engine::why_alive`](crate::Engine::why_alive) those that keep it from ending. The Rust API
//! passes both on, the C ABI prints them when a loop that is closed too early is asked about, and
//! `answer.rs` writes them down for `mauve why`.
//!
//! Nothing here is on a hot path: it all is found out at the moment of the question.

mod answer;
mod gather;

use std::fmt;
use std::os::fd::RawFd;
use std::time::Duration;

use crate::id::{Kind, Token};

/// Says what a request is, and whether the user ever heard of it. Asked for requests of which the
/// engine knows only the token.
pub type Describe = fn(Token) -> String;

/// A handle or request that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub what: What,
    /// The caller's name for it.
    pub token: Token,
    /// For how long it exists; `None` if nobody has noted that.
    pub age: Option<Duration>,
    /// Whether it is doing something.
    pub active: bool,
    /// Whether it counts as a reason to stay alive.
    pub referenced: bool,
    /// Whether it was closed and its close completion is still to come.
    pub closing: bool,
    /// The descriptor behind it.
    pub fd: Option<RawFd>,
    /// Its address on this side.
    pub local: Option<String>,
    /// The address of the other side.
    pub peer: Option<String>,
    /// What it is doing, in words: `listening`, `due in 20 ms`, `4096 bytes unsent`.
    pub details: Vec<String>,
}

/// What an [`Item`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A handle.
    Handle(Kind),
    /// A request, by its name: `write`, `connect`, `work`, `fs open`.
    Request(String),
    /// Something that the engine's driver has counted in by hand.
    Extra,
}

impl Item {
    /// Whether the loop goes on because of it.
    pub fn keeps_alive(&self) -> bool {
        match self.what {
            What::Handle(_) => self.closing || (self.active && self.referenced),
            What::Request(_) | What::Extra => true,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handle(kind) => f.write_str(kind.name()),
            Self::Request(name) => f.write_str(name),
            Self::Extra => f.write_str("reasons counted in by hand"),
        }
    }
}

/// One line: `tcp 0x7ffd5c8, fd 9, 127.0.0.1:80, listening, 3.2 s old`.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:#x}", self.what, self.token.0)?;
        if let Some(fd) = self.fd {
            write!(f, ", fd {fd}")?;
        }
        match (&self.local, &self.peer) {
            (Some(local), Some(peer)) => write!(f, ", {local} <-> {peer}")?,
            (Some(local), None) => write!(f, ", at {local}")?,
            (None, Some(peer)) => write!(f, ", to {peer}")?,
            (None, None) => {}
        }
        for detail in &self.details {
            write!(f, ", {detail}")?;
        }
        if let What::Handle(_) = self.what {
            if self.closing {
                write!(f, ", closing")?;
            } else if !self.active {
                write!(f, ", inactive")?;
            }
            if !self.referenced {
                write!(f, ", unreferenced")?;
            }
        }
        match self.age {
            Some(age) => write!(f, ", {} old", Age(age)),
            None => Ok(()),
        }
    }
}

/// A length of time as a person says it.
pub(crate) struct Age(pub Duration);

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match seconds {
            0 => write!(f, "{} ms", self.0.as_millis()),
            1..=59 => write!(f, "{:.1} s", self.0.as_secs_f64()),
            60..=3599 => write!(f, "{} min {} s", seconds / 60, seconds % 60),
            _ => write!(f, "{} h {} min", seconds / 3600, seconds / 60 % 60),
        }
    }
}

//! Why a loop is alive: its handles and requests, described in text.
//!
//! [`Engine::inventory`](crate::Engine::inventory) lists all handles and requests of a loop,
//! [`Engine::why_alive`](crate::Engine::why_alive) those that keep it from ending. The Rust API
//! exposes both, the C ABI prints them when a loop is closed while in use, and `report.rs` writes them
//! for `mauve why`.
//!
//! None of this is on a hot path: everything is collected on demand.

mod inventory;
mod report;

pub use report::FUNCTION;

use mauve_sys::descriptor::RawDescriptor;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

use crate::id::{HandleKind, Token};

/// Describes a request of which the engine knows only the token.
pub type Describe = fn(Token) -> String;

/// Lists the host's own items that keep the loop alive, such as tasks.
pub type HostItems = Box<dyn Fn() -> Vec<LoopItem>>;

/// Lists what the host adds to the report for `mauve why`, one line each. It must not use the loop.
pub type Notes = Box<dyn Fn() -> Vec<String>>;

/// A handle or request that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopItem {
    /// Handle or request, and its kind.
    pub kind: LoopItemKind,
    /// What the host identifies it by: the address of a struct of C, or a number.
    pub token: u64,
    /// Time since its creation, where known.
    pub age: Option<Duration>,
    /// Whether it is active.
    pub active: bool,
    /// Whether it keeps the loop alive while it is active.
    pub referenced: bool,
    /// Whether it was closed and its close completion is still to come.
    pub closing: bool,
    /// The descriptor behind it.
    pub fd: Option<RawDescriptor>,
    /// Its local address.
    pub local: Option<String>,
    /// The address of its peer.
    pub peer: Option<String>,
    /// What it does: `listening`, `due in 20 ms`, `4096 bytes unsent`.
    pub details: Vec<String>,
}

/// The kind of a [`LoopItem`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoopItemKind {
    /// A handle.
    Handle(HandleKind),
    /// A request, by its name: `write`, `connect`, `work`, `fs open`.
    Request(String),
    /// A task of the host, with the location where it was spawned.
    Task(&'static Location<'static>),
    /// A future that the host runs the loop for, with the location of the call.
    BlockOn(&'static Location<'static>),
    /// Other references that the host has added, see
    /// [`Engine::set_host_references`](crate::Engine::set_host_references).
    HostReferences,
}

impl LoopItem {
    /// Whether it keeps the loop alive.
    pub fn keeps_alive(&self) -> bool {
        match self.kind {
            LoopItemKind::Handle(_) => self.closing || (self.active && self.referenced),
            LoopItemKind::Request(_)
            | LoopItemKind::Task(_)
            | LoopItemKind::BlockOn(_)
            | LoopItemKind::HostReferences => true,
        }
    }
}

impl fmt::Display for LoopItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handle(kind) => f.write_str(kind.name()),
            Self::Request(name) => f.write_str(name),
            Self::Task(location) => write!(f, "task spawned at {location}"),
            Self::BlockOn(location) => write!(f, "block_on at {location}"),
            Self::HostReferences => f.write_str("references of the host"),
        }
    }
}

/// One line: `tcp 0x7ffd5c8, fd 9, 127.0.0.1:80, listening, 3.2 s old`.
impl fmt::Display for LoopItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            LoopItemKind::Handle(_) | LoopItemKind::Request(_) => {
                write!(f, "{} {:#x}", self.kind, self.token)?;
            }
            LoopItemKind::Task(_) | LoopItemKind::BlockOn(_) | LoopItemKind::HostReferences => {
                write!(f, "{}", self.kind)?;
            }
        }
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
        if let LoopItemKind::Handle(_) = self.kind {
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

/// Formats a duration with the units that fit its length.
pub(crate) struct Age(pub Duration);

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match seconds {
            0 => write!(f, "{} ms", self.0.as_millis()),
            1..=59 => {
                // Without the formatting of floating-point numbers, which is 16 kB of code.
                let tenths = (self.0.as_millis() + 50) / 100;
                write!(f, "{}.{} s", tenths / 10, tenths % 10)
            }
            60..=3599 => write!(f, "{} min {} s", seconds / 60, seconds % 60),
            _ => write!(f, "{} h {} min", seconds / 3600, seconds / 60 % 60),
        }
    }
}

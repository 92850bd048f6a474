//! What few streams have, or have for a moment only.
//!
//! It stands in an array of the engine's that all streams share, so that it takes no room in a
//! stream that has none of it, and a stream that connects or shuts down allocates nothing.

use std::collections::VecDeque;
use std::ffi::CString;
use std::os::fd::OwnedFd;

use mauve_sys::Errno;
use mauve_sys::driver::Driver;
use mauve_sys::net::KeepAlive;

use super::StreamMut;
use super::tty::SavedMode;
use crate::Engine;
use crate::id::{HandleId, Token};

/// What one stream has of it.
#[derive(Default)]
pub(crate) struct Rare {
    /// The request to connect, until it is told of.
    pub(super) connect: Option<Token>,
    /// The request to shut down, until it is told of.
    pub(super) shutdown: Option<Token>,
    /// An error of binding or connecting, told when the stream is used.
    pub(super) delayed: Option<Errno>,
    /// What stays as long as the stream.
    pub(super) special: Option<Box<Special>>,
}

/// What makes a stream a special one.
#[derive(Default)]
pub(super) struct Special {
    /// Descriptors that have arrived.
    pub inbox: VecDeque<OwnedFd>,
    /// The path to remove when a bound pipe is closed.
    pub path: Option<CString>,
    /// Asked for before there was a socket.
    pub nodelay: bool,
    pub keepalive: Option<KeepAlive>,
    /// The mode of a terminal, once it was changed.
    pub terminal: Option<SavedMode>,
}

impl Rare {
    /// Whether there is nothing in it.
    fn is_blank(&self) -> bool {
        matches!(self, Self { connect: None, shutdown: None, delayed: None, special: None })
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// What the stream has, if anything.
    #[inline]
    pub(super) fn rare(&mut self) -> Option<&mut Rare> {
        let Engine { table, streams, .. } = &mut *self.engine;
        streams.cold.first_mut(&table.streams[self.id.index()].body.rare)
    }

    /// The place to put something.
    pub(super) fn rare_or_new(&mut self) -> &mut Rare {
        let Engine { table, streams, .. } = &mut *self.engine;
        let rare = &mut table.streams[self.id.index()].body.rare;
        if rare.is_empty() {
            streams.cold.push_with(rare, |_blank| {}, Rare::default);
        }
        streams.cold.first_mut(rare).expect("just put there")
    }

    pub(super) fn special(&mut self) -> Option<&mut Special> {
        self.rare()?.special.as_deref_mut()
    }

    pub(super) fn special_or_new(&mut self) -> &mut Special {
        self.rare_or_new().special.get_or_insert_default()
    }

    /// The error that was put off.
    pub(super) fn delayed(&mut self) -> Option<Errno> {
        self.rare()?.delayed
    }

    /// Puts an error off, or says that there is none.
    pub(super) fn delay(&mut self, error: Option<Errno>) {
        if error.is_some() {
            self.rare_or_new().delayed = error;
        } else if let Some(rare) = self.rare() {
            rare.delayed = None;
            self.tidy_rare();
        }
    }

    /// Something was taken out. If that was all, its place is another stream's.
    pub(super) fn tidy_rare(&mut self) {
        if self.rare().is_some_and(|rare| rare.is_blank()) {
            self.engine.end_rare(self.id);
        }
    }

    /// Ends what ends with the descriptor.
    pub(super) fn shut_rare(&mut self) {
        let Some(special) = self.rare().and_then(|rare| rare.special.take()) else { return };
        if let Some(path) = special.path {
            // Somebody else may have removed it; that is as good.
            let _ = mauve_sys::fs::names::unlink(&path);
        }
    }
}

impl<D: Driver> Engine<D> {
    /// Gives back what a stream has.
    pub(crate) fn end_rare(&mut self, stream: HandleId) {
        let rare = &mut self.table.streams[stream.index()].body.rare;
        self.streams.cold.pop_with(rare, |rare| *rare = Rare::default());
    }
}

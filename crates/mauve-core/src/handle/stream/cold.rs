//! Cold state: state that few streams have, or only for a moment.
//!
//! All streams of a loop share one array for it. So a stream without cold state needs no memory for it,
//! and a stream that connects or shuts down allocates nothing.

use mauve_sys::descriptor::Descriptor;
use std::collections::VecDeque;
use std::ffi::CString;

use mauve_sys::Errno;
use mauve_sys::driver::Driver;
use mauve_sys::net::{Address, KeepAlive};

use super::tty::SavedMode;
use super::{Stream, StreamMut, StreamState};
use crate::Engine;
use crate::id::Token;

/// The cold state of one stream.
#[derive(Default)]
pub(crate) struct Cold {
    /// The request to connect, until it is reported.
    pub(super) connect: Option<Token>,
    /// The request to shut down, until it is reported.
    pub(super) shutdown: Option<Token>,
    /// An error of binding or connecting, reported when the stream is used.
    pub(super) delayed: Option<Errno>,
    /// State that lasts as long as the stream.
    pub(super) extras: Option<Box<Extras>>,
}

/// State of pipes that pass descriptors, bound pipes, TCP options and terminals.
#[derive(Default)]
pub(super) struct Extras {
    /// Received descriptors that are not accepted yet.
    pub inbox: VecDeque<Descriptor>,
    /// The path to remove when a bound pipe is closed.
    pub path: Option<CString>,
    /// Options that were set before there was a socket.
    pub nodelay: bool,
    pub keepalive: Option<KeepAlive>,
    /// The peer of the last accepted connection, if the host requests it.
    pub accepted_peer: Option<Address>,
    /// The mode of a terminal, once it was changed.
    pub terminal: Option<SavedMode>,
}

impl Cold {
    /// Whether no field is set.
    fn is_blank(&self) -> bool {
        matches!(self, Self { connect: None, shutdown: None, delayed: None, extras: None })
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// The cold state, if there is any.
    #[inline]
    pub(super) fn cold(&mut self) -> Option<&mut Cold> {
        let Engine { table, streams, .. } = &mut *self.engine;
        streams.cold.first_mut(&table.streams[self.id.index()].body.cold)
    }

    /// The cold state, made if there is none.
    pub(super) fn cold_or_new(&mut self) -> &mut Cold {
        let Engine { table, streams, .. } = &mut *self.engine;
        let cold = &mut table.streams[self.id.index()].body.cold;
        if cold.is_empty() {
            streams.cold.push_with(cold, |_blank| {}, Cold::default);
        }
        streams.cold.first_mut(cold).expect("just put there")
    }

    pub(super) fn extras(&mut self) -> Option<&mut Extras> {
        self.cold()?.extras.as_deref_mut()
    }

    pub(super) fn extras_or_new(&mut self) -> &mut Extras {
        self.cold_or_new().extras.get_or_insert_default()
    }

    /// The delayed error.
    pub(super) fn delayed(&mut self) -> Option<Errno> {
        self.cold()?.delayed
    }

    /// Delays an error, or clears the delayed one.
    pub(super) fn delay(&mut self, error: Option<Errno>) {
        if error.is_some() {
            self.cold_or_new().delayed = error;
        } else if let Some(cold) = self.cold() {
            cold.delayed = None;
            self.free_empty_cold();
        }
    }

    /// Frees the cold state if it is empty.
    pub(super) fn free_empty_cold(&mut self) {
        if self.cold().is_some_and(|cold| cold.is_blank()) {
            let Engine { table, streams, .. } = &mut *self.engine;
            streams.free_cold(&mut table.streams[self.id.index()].body);
        }
    }

    /// Drops the state that belongs to the descriptor, and removes the path of a bound pipe.
    pub(super) fn release_cold(&mut self) {
        let Some(extras) = self.cold().and_then(|cold| cold.extras.take()) else { return };
        if let Some(path) = extras.path {
            // It may have been removed already.
            let _ = mauve_sys::fs::links::unlink(&path);
        }
    }
}

impl StreamState {
    /// Frees the cold state of a stream.
    pub fn free_cold(&mut self, stream: &mut Stream) {
        self.cold.pop_with(&mut stream.cold, |cold| *cold = Cold::default());
    }
}

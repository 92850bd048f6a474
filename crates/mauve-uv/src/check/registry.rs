//! Everything that exists, by address.
//!
//! Of what is gone the last few thousand are remembered, to name a handle that is used after its
//! close callback. A forked child begins with an empty registry, since another thread may have
//! been writing to the inherited one; what it finds nothing about it lets pass.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve_sys::fork::{PerProcess, generation};

use super::origin::Origin;
use crate::abi::{uv_handle_type, uv_req_type};

/// How many closed handles are remembered.
const REMEMBERED: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Registry {
    pub loops: HashMap<u64, LoopRecord>,
    pub handles: HashMap<u64, HandleRecord>,
    pub requests: HashMap<u64, RequestRecord>,
    /// Addresses of closed handles, the oldest first.
    gone: VecDeque<u64>,
    /// Whether everything that exists is in here.
    pub whole: bool,
}

pub(super) struct LoopRecord {
    pub made: Origin,
    pub closed: Option<Origin>,
    /// The iteration in which its handles were last looked at, and with which of them to go on.
    pub inspected: (u64, usize),
}

pub(super) struct HandleRecord {
    pub kind: uv_handle_type,
    pub id: u64,
    pub seal: u64,
    pub of: u64,
    pub made: Origin,
    /// The call that closed it.
    pub closed: Option<Origin>,
    /// Its close callback has begun.
    pub gone: bool,
}

pub(super) struct RequestRecord {
    pub kind: uv_req_type,
    pub began: Origin,
}

static REGISTRY: PerProcess<Mutex<Registry>> = PerProcess::new();

fn cell() -> &'static Mutex<Registry> {
    REGISTRY
        .get_or_init(|| Mutex::new(Registry { whole: generation() == 0, ..Registry::default() }))
}

pub(super) fn registry() -> MutexGuard<'static, Registry> {
    cell().lock().unwrap_or_else(PoisonError::into_inner)
}

/// As [`registry`], for a caller that may be a signal handler: `None` if somebody has it.
pub(super) fn registry_if_free() -> Option<MutexGuard<'static, Registry>> {
    cell().try_lock().ok()
}

impl Registry {
    /// Remembers that a handle is gone, and forgets one that is gone for long.
    pub fn remember_gone(&mut self, address: u64) {
        self.gone.push_back(address);
        if self.gone.len() > REMEMBERED
            && let Some(oldest) = self.gone.pop_front()
            && self.handles.get(&oldest).is_some_and(|record| record.gone)
        {
            self.handles.remove(&oldest);
        }
    }
}

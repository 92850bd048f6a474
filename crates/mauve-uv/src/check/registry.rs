//! All loops, handles and active requests, by address.
//!
//! Records of closed handles are kept for a while, to report a handle that is used after its close
//! callback. A forked child starts with an empty registry, because another thread may have been
//! writing to the inherited one. It tolerates objects that are not recorded.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve_sys::fork::{PerProcess, generation};

use super::origin::Origin;
use crate::abi::{uv_handle_type, uv_req_type};

/// Maximum number of records of closed handles.
const MAX_CLOSED: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Registry {
    pub loops: HashMap<u64, LoopRecord>,
    pub handles: HashMap<u64, HandleRecord>,
    pub requests: HashMap<u64, RequestRecord>,
    /// Addresses of closed handles, oldest first.
    closed: VecDeque<u64>,
    /// Whether all existing objects are recorded.
    pub is_complete: bool,
}

pub(super) struct LoopRecord {
    pub created: Origin,
    /// The `uv_loop_close` call.
    pub close_call: Option<Origin>,
    /// The last iteration in which its handles were checked, and the index to continue with.
    pub inspected: (u64, usize),
}

pub(super) struct HandleRecord {
    pub kind: uv_handle_type,
    pub id: u64,
    pub seal: u64,
    pub loop_: u64,
    pub created: Origin,
    /// The `uv_close` call.
    pub close_call: Option<Origin>,
    /// Whether its close callback has started.
    pub is_closed: bool,
}

pub(super) struct RequestRecord {
    pub kind: uv_req_type,
    pub submitted: Origin,
}

static REGISTRY: PerProcess<Mutex<Registry>> = PerProcess::new();

fn cell() -> &'static Mutex<Registry> {
    REGISTRY.get_or_init(|| {
        Mutex::new(Registry { is_complete: generation() == 0, ..Registry::default() })
    })
}

pub(super) fn registry() -> MutexGuard<'static, Registry> {
    cell().lock().unwrap_or_else(PoisonError::into_inner)
}

/// As [`registry`], for callers that may be signal handlers: `None` if it is locked.
pub(super) fn try_registry() -> Option<MutexGuard<'static, Registry>> {
    cell().try_lock().ok()
}

impl Registry {
    /// Adds a closed handle, and drops the oldest record above the maximum.
    pub fn retire(&mut self, address: u64) {
        self.closed.push_back(address);
        if self.closed.len() > MAX_CLOSED
            && let Some(oldest) = self.closed.pop_front()
            && self.handles.get(&oldest).is_some_and(|record| record.is_closed)
        {
            self.handles.remove(&oldest);
        }
    }
}

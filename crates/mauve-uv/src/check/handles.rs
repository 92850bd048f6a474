//! Handles: initialised once, used while open, and left where they are until they are closed.

use mauve_core::HandleId;

use super::origin::Origin;
use super::registry::{HandleRecord, registry, registry_if_free};
use super::{loops, starts_something};
use crate::abi::*;
use crate::ffi::{self, Ptr, flag, misuse, misuse_traced, seal};

/// The call that makes handles of a kind.
fn maker(kind: uv_handle_type) -> &'static str {
    match kind {
        UV_ASYNC => "uv_async_init",
        UV_CHECK => "uv_check_init",
        UV_FS_EVENT => "uv_fs_event_init",
        UV_FS_POLL => "uv_fs_poll_init",
        UV_IDLE => "uv_idle_init",
        UV_NAMED_PIPE => "uv_pipe_init",
        UV_POLL => "uv_poll_init",
        UV_PREPARE => "uv_prepare_init",
        UV_PROCESS => "uv_spawn",
        UV_TCP => "uv_tcp_init",
        UV_TIMER => "uv_timer_init",
        UV_TTY => "uv_tty_init",
        UV_UDP => "uv_udp_init",
        UV_SIGNAL => "uv_signal_init",
        _ => "an unknown call",
    }
}

impl HandleRecord {
    /// `the tcp handle at 0x7ffd10, created by uv_tcp_init,`
    pub fn said(&self, address: u64) -> String {
        let name = ffi::kind_name(self.kind);
        format!("the {name} handle at {address:#x}, {},", self.made.said("created"))
    }

    /// Where it was made and closed, if that was noted.
    fn lines(&self) -> String {
        let closed = self.closed.as_ref().map(|closed| closed.lines("it was closed"));
        self.made.lines("it was created") + &closed.unwrap_or_default()
    }

    /// Whether the struct still says what was written to it. Reads memory that may be gone.
    pub fn is_intact(&self, address: u64) -> bool {
        let mut found = [0u64; 2];
        let place = address + std::mem::offset_of!(uv_handle_t, id) as u64;
        // Where the system does not let us look, we have not seen anything.
        mauve_sys::probe_memory(place, &mut found)
            .is_none_or(|readable| readable && found == [self.id, self.seal])
    }
}

/// What to call a handle, and where it comes from, if that is known.
pub(crate) fn introduction(address: u64) -> Option<(String, String)> {
    let registry = registry();
    let record = registry.handles.get(&address)?;
    Some((record.said(address), record.lines()))
}

/// A handle was initialised.
#[cold]
pub(crate) fn made(handle: Ptr<uv_handle_t>, kind: uv_handle_type, of: u64, id: HandleId) {
    let address = handle.address();
    let call = maker(kind);
    let mut registry = registry();
    if let Some(old) = registry.handles.get(&address)
        && !old.gone
        // A child that could not be started has left a handle that nobody need close.
        && !(old.kind == UV_PROCESS && old.closed.is_none() && has_no_child(handle))
    {
        let (name, lines) = (old.said(address), old.lines());
        drop(registry);
        let when = "is initialised again before its close callback";
        misuse_traced(call, format_args!("{name} {when}"), &lines);
    }
    let (id, seal) = (id.to_bits(), seal(id.to_bits(), address));
    let made = Origin::here(call);
    let record = HandleRecord { kind, id, seal, of, made, closed: None, gone: false };
    registry.handles.insert(address, record);
}

fn has_no_child(handle: Ptr<uv_handle_t>) -> bool {
    // SAFETY: the registry knows it as a process handle, so the struct is one.
    unsafe { Ptr::new(handle.raw().cast::<uv_process_t>()) }.with(|process| process.pid == 0)
}

/// An open handle was handed in.
#[cold]
pub(crate) fn used(handle: Ptr<uv_handle_t>, of: Ptr<uv_loop_t>, call: &str) {
    loops::used(of, call);
    let is_closing = handle.with(|handle| handle.flags & flag::CLOSING != 0);
    if is_closing && starts_something(call) {
        handle.misused(call, "is closing");
    }
}

/// A handle was handed in whose seal is not right, and not that of a closed one either.
#[cold]
pub(crate) fn unsealed(handle: Ptr<uv_handle_t>, call: &str) -> ! {
    let address = handle.address();
    let Some((name, lines)) = introduction(address) else {
        misuse(call, format_args!("the handle at {address:#x} was never initialised"));
    };
    let gone = registry().handles.get(&address).is_some_and(|record| record.gone);
    let what = if gone {
        "is closed, and its memory was used for something else since"
    } else {
        "was overwritten before its close callback"
    };
    misuse_traced(call, format_args!("{name} {what}"), &lines);
}

/// A handle is being closed.
#[cold]
pub(crate) fn closing(address: u64, call: &'static str) {
    if let Some(record) = registry().handles.get_mut(&address) {
        record.closed = Some(Origin::here(call));
    }
}

/// A callback of a handle is about to be run.
pub(super) fn about_to_call(address: u64) {
    let registry = registry();
    let Some(record) = registry.handles.get(&address) else { return };
    if !record.is_intact(address) {
        let (name, lines) = (record.said(address), record.lines());
        drop(registry);
        overwritten(&name, &lines);
    }
}

pub(super) fn overwritten(name: &str, lines: &str) -> ! {
    let what = "was overwritten or freed before its close callback";
    misuse_traced("uv_run", format_args!("{name} {what}"), lines)
}

/// The close callback of a handle is about to be run.
pub(super) fn about_to_end(address: u64) {
    about_to_call(address);
    let mut registry = registry();
    if let Some(record) = registry.handles.get_mut(&address) {
        record.gone = true;
        registry.remember_gone(address);
    }
}

/// `uv_async_send`, which may come from any thread and from a signal handler.
#[cold]
pub(crate) fn sent(address: u64) {
    const CALL: &str = "uv_async_send";
    if address == 0 {
        misuse(CALL, format_args!("the handle is a null pointer"));
    }
    let Some(registry) = registry_if_free() else { return };
    let wrong = match registry.handles.get(&address) {
        Some(record) if record.gone => "is closed",
        Some(record) if !record.is_intact(address) => "was overwritten before its close callback",
        Some(record) if record.kind != UV_ASYNC => "is no async handle",
        Some(_) => return,
        None if !registry.whole => return,
        None => {
            drop(registry);
            misuse(CALL, format_args!("the handle at {address:#x} was never initialised"));
        }
    };
    let introduced = registry.handles.get(&address).map(|r| (r.said(address), r.lines()));
    drop(registry);
    let (name, lines) = introduced.unwrap_or_default();
    misuse_traced(CALL, format_args!("{name} {wrong}"), &lines);
}

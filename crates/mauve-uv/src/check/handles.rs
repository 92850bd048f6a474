//! Checks of handles: initialised once, used only while open, not moved or overwritten before the
//! close callback.

use mauve_core::HandleId;

use super::origin::Origin;
use super::registry::{HandleRecord, registry, try_registry};
use super::{loops, starts_operation};
use crate::abi::*;
use crate::ffi::{self, Ptr, abort_misuse, abort_misuse_with_backtrace, flag, seal};

/// The call that initialises handles of this type.
fn init_call(kind: uv_handle_type) -> &'static str {
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
    pub fn describe(&self, address: u64) -> String {
        let name = ffi::handle_type_name(self.kind);
        format!("the {name} handle at {address:#x}, {},", self.created.describe("created"))
    }

    /// Backtraces of its creation and its close, if they were captured.
    fn backtrace(&self) -> String {
        let closed = self.close_call.as_ref().map(|closed| closed.backtrace("it was closed"));
        self.created.backtrace("it was created") + &closed.unwrap_or_default()
    }

    /// Whether the struct still has its id and seal. The memory may be unmapped.
    pub fn is_intact(&self, address: u64) -> bool {
        let mut found = [0u64; 2];
        let start = address + std::mem::offset_of!(uv_handle_t, id) as u64;
        // Assumes that it is intact where the system does not permit probing.
        mauve_sys::probe_memory(start, &mut found)
            .is_none_or(|readable| readable && found == [self.id, self.seal])
    }
}

/// The description of a handle and its backtraces, if it is recorded.
pub(crate) fn describe(address: u64) -> Option<(String, String)> {
    let registry = registry();
    let record = registry.handles.get(&address)?;
    Some((record.describe(address), record.backtrace()))
}

/// A handle was initialised.
#[cold]
pub(crate) fn on_init(handle: Ptr<uv_handle_t>, kind: uv_handle_type, loop_: u64, id: HandleId) {
    let address = handle.address();
    let call = init_call(kind);
    let mut registry = registry();
    if let Some(old) = registry.handles.get(&address)
        && !old.is_closed
        // After a failed `uv_spawn` the handle need not be closed.
        && !(old.kind == UV_PROCESS && old.close_call.is_none() && has_no_child(handle))
    {
        let (name, lines) = (old.describe(address), old.backtrace());
        drop(registry);
        let when = "is initialised again before its close callback";
        abort_misuse_with_backtrace(call, format_args!("{name} {when}"), &lines);
    }
    let (id, seal) = (id.to_bits(), seal(id.to_bits(), address));
    let created = Origin::capture(call);
    let record =
        HandleRecord { kind, id, seal, loop_, created, close_call: None, is_closed: false };
    registry.handles.insert(address, record);
}

fn has_no_child(handle: Ptr<uv_handle_t>) -> bool {
    // SAFETY: it is recorded as a process handle, so the struct is one.
    unsafe { Ptr::new(handle.raw().cast::<uv_process_t>()) }.with(|process| process.pid == 0)
}

/// An open handle was passed to a call.
#[cold]
pub(crate) fn on_use(handle: Ptr<uv_handle_t>, loop_: Ptr<uv_loop_t>, call: &str) {
    loops::on_use(loop_, call);
    let is_closing = handle.with(|handle| handle.flags & flag::CLOSING != 0);
    if is_closing && starts_operation(call) {
        handle.abort_misuse(call, "is closing");
    }
}

/// A handle was passed whose seal is neither valid nor that of a closed handle.
#[cold]
pub(crate) fn abort_unsealed(handle: Ptr<uv_handle_t>, call: &str) -> ! {
    let address = handle.address();
    let Some((name, lines)) = describe(address) else {
        abort_misuse(call, format_args!("the handle at {address:#x} was never initialised"));
    };
    let is_closed = registry().handles.get(&address).is_some_and(|record| record.is_closed);
    let what = if is_closed {
        "is closed, and its memory was used for something else since"
    } else {
        "was overwritten before its close callback"
    };
    abort_misuse_with_backtrace(call, format_args!("{name} {what}"), &lines);
}

/// A handle is being closed.
#[cold]
pub(crate) fn on_close(address: u64, call: &'static str) {
    if let Some(record) = registry().handles.get_mut(&address) {
        record.close_call = Some(Origin::capture(call));
    }
}

/// A callback of a handle is about to run.
#[cold]
pub(crate) fn before_callback(address: u64) {
    let registry = registry();
    let Some(record) = registry.handles.get(&address) else { return };
    if !record.is_intact(address) {
        let (name, lines) = (record.describe(address), record.backtrace());
        drop(registry);
        abort_overwritten(&name, &lines);
    }
}

pub(super) fn abort_overwritten(name: &str, lines: &str) -> ! {
    let what = "was overwritten or freed before its close callback";
    abort_misuse_with_backtrace("uv_run", format_args!("{name} {what}"), lines)
}

/// The close callback of a handle is about to run.
pub(super) fn before_close_callback(address: u64) {
    before_callback(address);
    let mut registry = registry();
    if let Some(record) = registry.handles.get_mut(&address) {
        record.is_closed = true;
        registry.retire(address);
    }
}

/// Checks `uv_async_send`, which any thread and signal handlers may call.
#[cold]
pub(crate) fn on_async_send(address: u64) {
    const CALL: &str = "uv_async_send";
    if address == 0 {
        abort_misuse(CALL, format_args!("the handle is a null pointer"));
    }
    let Some(registry) = try_registry() else { return };
    let wrong = match registry.handles.get(&address) {
        Some(record) if record.is_closed => "is closed",
        Some(record) if !record.is_intact(address) => "was overwritten before its close callback",
        Some(record) if record.kind != UV_ASYNC => "is not an async handle",
        Some(_) => return,
        None if !registry.is_complete => return,
        None => {
            drop(registry);
            abort_misuse(CALL, format_args!("the handle at {address:#x} was never initialised"));
        }
    };
    let described = registry.handles.get(&address).map(|r| (r.describe(address), r.backtrace()));
    drop(registry);
    let (name, lines) = described.unwrap_or_default();
    abort_misuse_with_backtrace(CALL, format_args!("{name} {wrong}"), &lines);
}

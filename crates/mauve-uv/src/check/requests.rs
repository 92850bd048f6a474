//! Checks of requests: not reused or modified before their callback.

use super::origin::Origin;
use super::registry::{RequestRecord, registry};
use crate::abi::*;
use crate::ffi::{Ptr, abort_misuse, abort_misuse_with_backtrace};

impl RequestRecord {
    fn describe(&self, address: u64) -> String {
        let name = type_name(UV_REQ_TYPES, self.kind).unwrap_or(c"unknown").to_string_lossy();
        format!("the {name} request at {address:#x}, {},", self.submitted.describe("submitted"))
    }
}

/// A request is about to be submitted: it must not be active.
#[inline(always)]
pub(crate) fn before_submit<T>(request: Ptr<T>, call: &str) {
    if super::is_enabled() {
        require_inactive(request.address(), call);
    }
}

#[cold]
fn require_inactive(address: u64, call: &str) {
    if address == 0 {
        abort_misuse(call, format_args!("the request is a null pointer"));
    }
    let registry = registry();
    if let Some(record) = registry.requests.get(&address) {
        let name = record.describe(address);
        let lines = record.submitted.backtrace("it was submitted");
        drop(registry);
        abort_misuse_with_backtrace(call, format_args!("{name} is still active"), &lines);
    }
}

/// A request was submitted.
#[inline(always)]
pub(crate) fn on_submit(address: u64, kind: uv_req_type, call: &'static str) {
    if super::is_enabled() {
        insert(address, kind, call);
    }
}

#[cold]
fn insert(address: u64, kind: uv_req_type, call: &'static str) {
    let record = RequestRecord { kind, submitted: Origin::capture(call) };
    registry().requests.insert(address, record);
}

/// The callback of a request is about to run.
pub(super) fn before_callback(address: u64) {
    let Some(record) = registry().requests.remove(&address) else { return };
    let mut found = [0u64; 1];
    let start = address + std::mem::offset_of!(uv_req_t, r#type) as u64;
    let readable = mauve_sys::probe_memory(start, &mut found);
    // The type is the low half of these eight bytes: all supported systems are little-endian.
    let intact = readable.is_none_or(|readable| readable && found[0] as uv_req_type == record.kind);
    if !intact {
        let what =
            format!("{} was overwritten or freed before its callback", record.describe(address));
        abort_misuse_with_backtrace(
            "uv_run",
            format_args!("{what}"),
            &record.submitted.backtrace("it was submitted"),
        );
    }
}

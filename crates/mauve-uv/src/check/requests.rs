//! Requests: the program's again only when their callback runs.

use super::origin::Origin;
use super::registry::{RequestRecord, registry};
use crate::abi::*;
use crate::ffi::{Ptr, misuse, misuse_traced};

fn name_of(kind: uv_req_type) -> String {
    let name = UV_REQ_NAMES.get(kind as usize).copied().flatten();
    name.map_or("unknown".into(), |name| name.to_string_lossy().into_owned())
}

impl RequestRecord {
    fn said(&self, address: u64) -> String {
        let name = name_of(self.kind);
        format!("the {name} request at {address:#x}, {},", self.began.said("begun"))
    }
}

/// A request is about to be used: it must not be in flight.
#[inline(always)]
pub(crate) fn begins<T>(request: Ptr<T>, call: &str) {
    if super::on() {
        must_be_free(request.address(), call);
    }
}

#[cold]
fn must_be_free(address: u64, call: &str) {
    if address == 0 {
        misuse(call, format_args!("the request is a null pointer"));
    }
    let registry = registry();
    if let Some(record) = registry.requests.get(&address) {
        let name = record.said(address);
        let lines = record.began.lines("it was begun");
        drop(registry);
        misuse_traced(call, format_args!("{name} is still in flight"), &lines);
    }
}

/// A request is in flight from now on.
#[inline(always)]
pub(crate) fn began(address: u64, kind: uv_req_type, call: &'static str) {
    if super::on() {
        enter(address, kind, call);
    }
}

#[cold]
fn enter(address: u64, kind: uv_req_type, call: &'static str) {
    let record = RequestRecord { kind, began: Origin::here(call) };
    registry().requests.insert(address, record);
}

/// The callback of a request is about to be run.
pub(super) fn about_to_end(address: u64) {
    let Some(record) = registry().requests.remove(&address) else { return };
    let mut found = [0u64; 1];
    let place = address + std::mem::offset_of!(uv_req_t, r#type) as u64;
    let readable = mauve_sys::probe_memory(place, &mut found);
    // The type is the first half of this word, on the little-endian systems that there are.
    let intact = readable.is_none_or(|readable| readable && found[0] as uv_req_type == record.kind);
    if !intact {
        let what = format!("{} was overwritten or freed before its callback", record.said(address));
        misuse_traced("uv_run", format_args!("{what}"), &record.began.lines("it was begun"));
    }
}

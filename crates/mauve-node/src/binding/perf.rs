//! What the loop does: its idle time, its start time, and what keeps it alive.

use mauve::{HandleKind, LoopItem, LoopItemKind};
use rquickjs::{Object, Result};

use super::define;
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "measureIdle", || current().lp.measure_idle_time())?;
    define(object, "idle", || current().lp.idle_time().as_secs_f64() * 1e3)?;
    define(object, "metrics", || {
        let metrics = current().lp.metrics();
        vec![metrics.iterations, metrics.events, metrics.events_waiting]
    })?;
    define(object, "loopStart", || current().loop_start.get())?;
    define(object, "activeResources", active_resources)?;
    define(object, "createHistogram", super::histogram::create)?;
    Ok(())
}

/// The types of requests, referenced handles, timers and immediates, by Node's names.
fn active_resources() -> Vec<&'static str> {
    let host = current();
    let (mut requests, mut handles) = (Vec::new(), Vec::new());
    for item in host.lp.inventory() {
        match &item.kind {
            LoopItemKind::Request(name) => requests.push(request_type(name)),
            LoopItemKind::Handle(kind) if item.referenced && !item.closing => {
                handles.extend(handle_type(*kind, &item));
            }
            _ => {}
        }
    }
    let (timers, immediates) = host.referenced_timers();
    requests.extend(handles);
    requests.extend(std::iter::repeat_n("Timeout", timers));
    requests.extend(std::iter::repeat_n("Immediate", immediates));
    requests
}

fn request_type(name: &str) -> &'static str {
    match name {
        "connect" => "ConnectWrap",
        "write" => "WriteWrap",
        "shutdown" => "ShutdownWrap",
        "send" => "SendWrap",
        "getaddrinfo" => "GetAddrInfoReqWrap",
        "getnameinfo" => "GetNameInfoReqWrap",
        _ => "FSReqCallback",
    }
}

/// `None` for the handles of the host itself.
fn handle_type(kind: HandleKind, item: &LoopItem) -> Option<&'static str> {
    let listens = item.details.iter().any(|detail| detail.starts_with("listening"));
    match kind {
        HandleKind::Tcp if listens => Some("TCPServerWrap"),
        HandleKind::Tcp => Some("TCPSocketWrap"),
        HandleKind::Pipe if listens => Some("PipeServerWrap"),
        HandleKind::Pipe => Some("PipeWrap"),
        HandleKind::Tty => Some("TTYWrap"),
        HandleKind::Udp => Some("UDPWrap"),
        HandleKind::Signal => Some("SignalWrap"),
        HandleKind::Process => Some("ProcessWrap"),
        HandleKind::FsEvent => Some("FSEventWrap"),
        HandleKind::FsPoll => Some("StatWatcher"),
        _ => None,
    }
}

//! The trace as bytes for the page: a JSON header and tables.

use mauve_core::Phase;

use super::columns::Tables;
use crate::format::location;
use crate::json::Object;
use crate::lanes::{Lanes, Role};
use crate::model::{CallbackKind, Trace};
use crate::summary::verdict;

/// The length of the header, the header, and the columns of all tables.
pub fn encode(trace: &Trace) -> Vec<u8> {
    let lanes = Lanes::new(trace);
    let mut tables = Tables::default();
    add_loops(&mut tables, trace, &lanes);
    add_callbacks(&mut tables, trace, &lanes);
    add_requests(&mut tables, trace, &lanes);
    add_wakeups(&mut tables, trace, &lanes);
    add_decisions(&mut tables, trace, &lanes);
    add_handles(&mut tables, trace);
    add_samples(&mut tables, trace);
    let header = header(trace, &lanes, tables.descriptions).finish();
    let mut bytes =
        u32::try_from(header.len()).expect("a header below 4 GiB").to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(tables.bytes);
    bytes
}

fn header(trace: &Trace, lanes: &Lanes, tables: Vec<Object>) -> Object {
    let lanes = lanes.list.iter().map(|lane| {
        let (role, begin, end) = match lane.role {
            Role::Loop(lp) => ("loop", trace.loops[lp].begin, trace.loops[lp].end),
            Role::Pool(_) => ("pool", 0, trace.end),
            Role::Thread(_) => ("thread", 0, trace.end),
        };
        Object::new()
            .with("role", role)
            .with("title", &lane.title)
            .with("subtitle", &lane.subtitle)
            .with("begin", begin)
            .with("end", end)
    });
    let processes = trace
        .processes
        .iter()
        .map(|process| Object::new().with("pid", process.pid).with("command", &process.command));
    let names = trace.names.iter().map(|name| {
        Object::new()
            .with("function", &name.function)
            .with("short", name.short())
            .with("location", location(name))
    });
    let decisions = trace.decisions.iter().map(|decision| decision.words.as_str());
    let kinds: Vec<_> = CallbackKind::ALL.iter().map(|kind| kind.name()).collect();
    Object::new()
        .with("length", trace.duration())
        .with("wallClock", trace.wall_clock)
        .with("verdict", verdict(trace).unwrap_or_default())
        .with("dropped", trace.dropped)
        .with("remarks", &trace.remarks)
        .with("processes", processes.collect::<Vec<_>>())
        .with("lanes", lanes.collect::<Vec<_>>())
        .with("names", names.collect::<Vec<_>>())
        .with("decisions", decisions.collect::<Vec<_>>())
        .with("phases", Phase::ALL.map(Phase::name))
        .with("kinds", kinds)
        .with("handleKinds", handle_kinds(trace))
        .with("tables", tables)
}

/// The names of the kinds of handle that are in the trace, by number.
fn handle_kinds(trace: &Trace) -> Vec<&'static str> {
    let mut names = Vec::new();
    for handle in &trace.handles {
        let number = handle.kind as usize;
        names.resize(names.len().max(number + 1), "");
        names[number] = handle.kind.name();
    }
    names
}

fn add_loops(tables: &mut Tables, trace: &Trace, lanes: &Lanes) {
    let lane = |lp| lanes.of_loop(lp) as u64;
    let iterations = &trace.iterations;
    tables
        .table("iterations", iterations.len())
        .small("lane", iterations.iter().map(|i| lane(i.lp)))
        .wide("number", iterations.iter().map(|i| i.number))
        .time("begin", iterations.iter().map(|i| i.begin))
        .wide("duration", iterations.iter().map(|i| i.end - i.begin))
        .wide("waited", iterations.iter().map(|i| i.waited))
        .finish();
    let phases = &trace.phases;
    tables
        .table("phases", phases.len())
        .small("lane", phases.iter().map(|p| lane(p.lp)))
        .small("phase", phases.iter().map(|p| p.phase as u64))
        .time("begin", phases.iter().map(|p| p.begin))
        .wide("duration", phases.iter().map(|p| p.end - p.begin))
        .small("callbacks", phases.iter().map(|p| p.callbacks.into()))
        .finish();
    let waits = &trace.waits;
    tables
        .table("waits", waits.len())
        .small("lane", waits.iter().map(|w| lane(w.lp)))
        .time("begin", waits.iter().map(|w| w.begin))
        .wide("duration", waits.iter().map(|w| w.end - w.begin))
        .wide_option("timeout", waits.iter().map(|w| w.timeout))
        .small("events", waits.iter().map(|w| w.events.into()))
        .finish();
}

fn add_callbacks(tables: &mut Tables, trace: &Trace, lanes: &Lanes) {
    let callbacks = &trace.callbacks;
    tables
        .table("callbacks", callbacks.len())
        .small("lane", callbacks.iter().map(|c| lanes.of_loop(c.lp) as u64))
        .small("kind", callbacks.iter().map(|c| c.kind as u64))
        .option("phase", callbacks.iter().map(|c| c.phase.map(|phase| phase as u64)))
        .small("depth", callbacks.iter().map(|c| c.depth.into()))
        .option("handle", callbacks.iter().map(|c| c.handle.map(|handle| handle as u64)))
        .option("request", callbacks.iter().map(|c| c.request.map(|request| request as u64)))
        .option("fd", callbacks.iter().map(|c| c.fd.and_then(|fd| u64::try_from(fd).ok())))
        .option("name", callbacks.iter().map(|c| c.name.map(|name| name as u64)))
        .time("begin", callbacks.iter().map(|c| c.begin))
        .wide("duration", callbacks.iter().map(|c| c.duration()))
        .wide_option("delay", callbacks.iter().map(|c| c.delay()))
        .small("running", callbacks.iter().map(|c| c.running.into()))
        .finish();
}

fn add_requests(tables: &mut Tables, trace: &Trace, lanes: &Lanes) {
    let requests = &trace.requests;
    let lane = |thread| lanes.of_thread(thread).map(|lane| lane as u64);
    // A request whose callback has not run is reported at its end.
    let reported = requests.iter().map(|r| {
        let done = r.job.map_or(r.submitted, |job| job.end);
        r.callback.map_or(0, |callback| trace.callbacks[callback].begin.saturating_sub(done))
    });
    tables
        .table("requests", requests.len())
        .option(
            "from",
            requests
                .iter()
                .map(|r| lanes.of_thread_for(trace, r.submitter, r.lp).map(|lane| lane as u64)),
        )
        .option("worker", requests.iter().map(|r| r.job.and_then(|job| lane(job.thread))))
        .option("callback", requests.iter().map(|r| r.callback.map(|callback| callback as u64)))
        .option("name", requests.iter().map(|r| r.name.map(|name| name as u64)))
        .time("begin", requests.iter().map(|r| r.submitted))
        .wide("queued", requests.iter().map(|r| r.queued().unwrap_or(0)))
        .wide("ran", requests.iter().map(|r| r.job.map_or(0, |job| job.end - job.begin)))
        .wide("reported", reported)
        .finish();
}

fn add_wakeups(tables: &mut Tables, trace: &Trace, lanes: &Lanes) {
    let wakeups = &trace.wakeups;
    let delay = wakeups.iter().map(|w| {
        w.callback.map_or(0, |callback| trace.callbacks[callback].begin.saturating_sub(w.time))
    });
    let from =
        wakeups.iter().map(|w| lanes.of_thread_for(trace, w.from, w.lp).map(|lane| lane as u64));
    tables
        .table("wakeups", wakeups.len())
        .option("lane", from)
        .small("to", wakeups.iter().map(|w| lanes.of_loop(w.lp) as u64))
        .option("handle", wakeups.iter().map(|w| w.handle.map(|handle| handle as u64)))
        .option("callback", wakeups.iter().map(|w| w.callback.map(|callback| callback as u64)))
        .time("begin", wakeups.iter().map(|w| w.time))
        .wide("delay", delay)
        .finish();
}

fn add_decisions(tables: &mut Tables, trace: &Trace, lanes: &Lanes) {
    let decisions = &trace.decisions;
    tables
        .table("decisions", decisions.len())
        .small("lane", decisions.iter().map(|d| lanes.of_loop(d.lp) as u64))
        .small("fault", decisions.iter().map(|d| d.key.kind.is_fault().into()))
        .option("callback", decisions.iter().map(|d| d.callback.map(|callback| callback as u64)))
        .time("begin", decisions.iter().map(|d| d.time))
        .finish();
}

fn add_handles(tables: &mut Tables, trace: &Trace) {
    let handles = &trace.handles;
    tables
        .table("handles", handles.len())
        .small("kind", handles.iter().map(|h| h.kind as u64))
        .small("tokenHigh", handles.iter().map(|h| h.token >> 32))
        .small("tokenLow", handles.iter().map(|h| h.token & 0xffff_ffff))
        .wide_option("opened", handles.iter().map(|h| h.opened))
        .wide_option("closed", handles.iter().map(|h| h.closed))
        .finish();
}

fn add_samples(tables: &mut Tables, trace: &Trace) {
    let frames = &trace.frames;
    tables
        .table("frames", frames.len())
        .option("caller", frames.iter().map(|f| f.caller.map(|caller| caller as u64)))
        .small("name", frames.iter().map(|f| f.name as u64))
        .finish();
    let samples = &trace.samples;
    tables
        .table("samples", samples.len())
        .small("callback", samples.iter().map(|s| s.callback as u64))
        .small("frame", samples.iter().map(|s| s.frame as u64))
        .wide("covers", samples.iter().map(|s| s.covers))
        .finish();
}

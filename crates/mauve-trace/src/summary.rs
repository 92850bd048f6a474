//! The summary of a trace as text.

use std::io::{self, Write};

use crate::Trace;
use crate::analysis::{BLOCKED, Blocked, Durations};
use crate::format::{count, duration, function, share};
use crate::model::Callback;
use crate::table::Table;

/// How many of the slowest callbacks and blocked iterations are listed.
const LISTED: usize = 10;

/// Writes the summary: utilisation, callbacks by kind, the pool, the slowest callbacks, blocked loops.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    heading(trace, out)?;
    loops(trace, out)?;
    callbacks(trace, out)?;
    pool(trace, out)?;
    slowest(trace, out)?;
    blocked(trace, out)?;
    remarks(trace, out)?;
    out.flush()
}

fn heading(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    for process in &trace.processes {
        writeln!(out, "{}, pid {}", process.command, process.pid)?;
    }
    let (callbacks, iterations) = (trace.callbacks.len() as u64, trace.iterations.len() as u64);
    let length = duration(trace.duration());
    writeln!(out, "{length}, {} iterations, {} callbacks", count(iterations), count(callbacks))
}

fn loops(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let titles = ["utilisation", "iterations", "p50", "p99", "max", "blocked"];
    let mut table = Table::new("loop, iterations without waits", &titles);
    for lp in 0..trace.loops.len() {
        // A process may have loops that it never runs.
        if !trace.iterations.iter().any(|iteration| iteration.lp == lp) {
            continue;
        }
        let own = trace.iterations.iter().filter(|iteration| iteration.lp == lp);
        let busy: Durations = own.clone().map(|iteration| iteration.busy()).collect();
        let blocked = own.filter(|iteration| iteration.busy() >= BLOCKED).count();
        let mut cells = vec![share(trace.utilisation(lp)), count(busy.count())];
        cells.extend(quantiles(&busy));
        cells.push(count(blocked as u64));
        table.add(loop_name(trace, lp), cells);
    }
    table.write(out)
}

/// `loop 1 (main)`, with the process if there are several.
pub(crate) fn loop_name(trace: &Trace, lp: usize) -> String {
    let of = &trace.loops[lp];
    let thread = trace.threads.get(of.thread).map_or("", |thread| thread.name.as_str());
    let mut name = format!("loop {}", of.number);
    if !thread.is_empty() {
        name += &format!(" ({thread})");
    }
    if trace.processes.len() > 1 {
        name += &format!(" of {}", trace.processes[of.process].pid);
    }
    name
}

pub(crate) fn quantiles(durations: &Durations) -> [String; 3] {
    [durations.quantile(0.5), durations.quantile(0.99), durations.max()].map(duration)
}

fn callbacks(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new("callbacks", &["count", "p50", "p99", "max", "total"]);
    let mut kinds: Vec<_> = trace.callbacks_by_kind().into_iter().collect();
    kinds.sort_by_key(|(_, durations)| std::cmp::Reverse(durations.sum()));
    for (kind, durations) in kinds {
        let mut cells = vec![count(durations.count())];
        cells.extend(quantiles(&durations));
        cells.push(duration(durations.sum()));
        table.add(kind.name().to_owned(), cells);
    }
    let delays: Durations = trace.callbacks.iter().filter_map(Callback::delay).collect();
    if delays.count() > 0 {
        let mut cells = vec![count(delays.count())];
        cells.extend(quantiles(&delays));
        cells.push(String::new());
        table.add("ready until called".to_owned(), cells);
    }
    table.write(out)
}

fn pool(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new("pool", &["count", "p50", "p99", "max"]);
    let queued: Durations = trace.requests.iter().filter_map(|request| request.queued()).collect();
    let jobs = trace.requests.iter().filter_map(|request| request.job);
    let ran: Durations = jobs.map(|job| job.end - job.begin).collect();
    for (name, durations) in [("queued", queued), ("ran", ran)] {
        if durations.count() > 0 {
            let mut cells = vec![count(durations.count())];
            cells.extend(quantiles(&durations));
            table.add(name.to_owned(), cells);
        }
    }
    table.write(out)
}

fn slowest(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let slowest = trace.slowest(LISTED);
    if slowest.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nslowest callbacks")?;
    for callback in slowest {
        let running = if callback.running { ", still running" } else { "" };
        let at = duration(callback.begin);
        let name = callback_name(trace, callback);
        writeln!(out, "{:>10}  {name}, at {at}{running}", duration(callback.duration()))?;
    }
    Ok(())
}

/// `on_read (server.c:41), read, tcp fd 9, loop 1`.
pub(crate) fn callback_name(trace: &Trace, callback: &Callback) -> String {
    let kind = callback.kind.name();
    let mut text = match callback.name {
        Some(name) => format!("{}, {kind}", function(&trace.names[name])),
        None => kind.to_owned(),
    };
    let handle = callback.handle.map(|handle| trace.handles[handle].kind.name());
    if let Some(handle) = handle.filter(|handle| *handle != kind) {
        text += &format!(", {handle}");
    }
    if let Some(fd) = callback.fd {
        text += &format!(" fd {fd}");
    }
    if trace.loops.len() > 1 {
        text += &format!(", {}", loop_name(trace, callback.lp));
    }
    text
}

fn blocked(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let blocked = trace.blocked(BLOCKED);
    let limit = duration(BLOCKED);
    match blocked.len() {
        0 => return writeln!(out, "\nno loop was blocked for {limit}"),
        1 => writeln!(out, "\nblocked for {limit} or more: once")?,
        times => writeln!(out, "\nblocked for {limit} or more: {} times", count(times as u64))?,
    }
    for Blocked { iteration, callback } in blocked.iter().take(LISTED) {
        let cause = match callback {
            Some(callback) => {
                let name = callback_name(trace, callback);
                format!("{} in {name}", duration(callback.duration()))
            }
            None => "no callback".to_owned(),
        };
        let (busy, at) = (duration(iteration.busy()), duration(iteration.begin));
        writeln!(out, "{busy:>10}  iteration {} at {at}: {cause}", iteration.number)?;
    }
    if blocked.len() > LISTED {
        writeln!(out, "            and {} more", count((blocked.len() - LISTED) as u64))?;
    }
    Ok(())
}

fn remarks(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    if trace.dropped > 0 {
        let dropped = count(trace.dropped);
        writeln!(
            out,
            "\n{dropped} records are missing: they were overwritten before they were read"
        )?;
    }
    for remark in &trace.remarks {
        writeln!(out, "\n{remark}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    fn summary(trace: &Trace) -> String {
        let mut out = Vec::new();
        write(trace, &mut out).expect("writing to memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_summary_has_all_sections() {
        let mut trace = synthetic::trace(20_000);
        trace.dropped = 1_234;
        let text = summary(&trace);
        for part in [
            "server --port 80, pid 1234\n",
            "\nloop 1 (main) ",
            "\nloop 2 (worker) ",
            "\nread ",
            "\nready until called ",
            "\nqueued ",
            "\nran ",
            "\nslowest callbacks\n",
            "  on_read (src/server.c:10), read, tcp fd ",
            "\nblocked for 10.0 ms or more: ",
            "\n1,234 records are missing",
        ] {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
    }

    #[test]
    fn an_empty_trace_has_a_summary() {
        let text = summary(&Trace::default());
        assert_eq!(text, "0 ns, 0 iterations, 0 callbacks\n\nno loop was blocked for 10.0 ms\n");
    }
}

//! The summary of a trace as text.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::Trace;
use crate::analysis::{BLOCKED, Blocked, Durations};
use crate::format::{count, duration, function, location, share};
use crate::model::{Callback, CallbackKind, Iteration};
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
    writeln!(out, "{length}, {} iterations, {} callbacks", count(iterations), count(callbacks))?;
    verdict(trace).map_or(Ok(()), |verdict| writeln!(out, "{verdict}"))
}

/// What a reader wants to know first: what blocked a loop, how often, and for how long. None if no loop
/// was blocked.
pub fn verdict(trace: &Trace) -> Option<String> {
    let blocked = trace.blocked(BLOCKED);
    let mut culprits: Vec<(&Callback, usize, u64)> = Vec::new();
    for callback in blocked.iter().filter_map(|blocked| blocked.callback) {
        let same = |other: &&mut (&Callback, usize, u64)| {
            (other.0.name, other.0.kind) == (callback.name, callback.kind)
        };
        match culprits.iter_mut().find(same) {
            Some((longest, times, total)) => {
                *times += 1;
                *total += callback.duration();
                if callback.duration() > longest.duration() {
                    *longest = callback;
                }
            }
            None => culprits.push((callback, 1, callback.duration())),
        }
    }
    let (callback, times, _) = culprits.into_iter().max_by_key(|(_, _, total)| *total)?;
    let name = callback.name.map_or_else(
        || "a function without a name".to_owned(),
        |name| match (&trace.names[name], location(&trace.names[name])) {
            (name, at) if at.is_empty() => format!("`{}`", name.short()),
            (name, at) => format!("`{}` in {at}", name.short()),
        },
    );
    let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
    let kind = cause(trace, callback).kind.name();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let longest = duration(callback.duration());
    Some(format!(
        "blocked {times} by {name}, longest {longest}: synchronous work in {article} {kind} callback"
    ))
}

/// What a callback is for. For a function of JavaScript that is the callback of the loop around it.
fn cause<'a>(trace: &'a Trace, callback: &'a Callback) -> &'a Callback {
    let is_around = |outer: &&Callback| {
        let contains = outer.begin <= callback.begin && outer.end >= callback.end;
        outer.depth == 0 && outer.lp == callback.lp && contains
    };
    match callback.kind {
        CallbackKind::Function => trace.callbacks.iter().find(is_around).unwrap_or(callback),
        _ => callback,
    }
}

fn loops(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let titles = ["utilisation", "iterations", "p50", "p99", "max", "blocked"];
    let mut table = Table::new("loop, without waits", &titles);
    let busy = |lp: &usize| -> u64 {
        let own = trace.iterations.iter().filter(|iteration| iteration.lp == *lp);
        own.map(Iteration::busy).sum()
    };
    // Node has a loop that does nothing before its main one.
    let mut loops: Vec<usize> = (0..trace.loops.len()).collect();
    loops.sort_by_cached_key(|lp| Reverse(busy(lp)));
    for lp in loops {
        // A process may have loops that it never runs, or that do nothing.
        let has_callbacks = |lp| trace.callbacks.iter().any(|callback| callback.lp == lp);
        let is_idle = !has_callbacks(lp) && !trace.callbacks.is_empty();
        if is_idle || !trace.iterations.iter().any(|iteration| iteration.lp == lp) {
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
    kinds.sort_by_key(|(_, durations)| Reverse(durations.sum()));
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
    fn the_verdict_names_the_callback_that_blocked_longest() {
        let mut trace = synthetic::trace(20_000);
        let verdict = verdict(&trace).expect("the trace has blocked iterations");
        let worst = trace.blocked(BLOCKED)[0].callback.expect("a callback");
        let kind = format!(" {} callback", worst.kind.name());
        assert!(verdict.starts_with("blocked ") && verdict.ends_with(&kind), "{verdict}");
        assert!(summary(&trace).contains(&verdict));
        trace.iterations.clear();
        assert_eq!(super::verdict(&trace), None);
    }

    #[test]
    fn the_verdict_says_which_callback_of_the_loop_has_called_a_function() {
        let mut trace = synthetic::trace(20_000);
        let worst = *trace.blocked(BLOCKED)[0].callback.expect("a callback");
        let outer = Callback { depth: 0, kind: CallbackKind::Idle, ..worst };
        let inner = Callback { depth: 1, kind: CallbackKind::Function, ..outer };
        trace.callbacks = vec![outer, inner];
        let verdict = verdict(&trace).expect("the trace has blocked iterations");
        assert!(verdict.ends_with("synchronous work in an idle callback"), "{verdict}");
    }

    #[test]
    fn a_loop_without_callbacks_is_not_listed() {
        let mut trace = synthetic::trace(20_000);
        trace.callbacks.retain(|callback| callback.lp == 0);
        let text = summary(&trace);
        assert!(
            text.contains("\nloop 1 (main) ") && !text.contains("\nloop 2 (worker) "),
            "{text}"
        );
    }

    #[test]
    fn the_loop_that_does_most_is_listed_first() {
        let names = ["loop 1 (main)", "loop 2 (worker)"];
        for (most, other) in [(0, 1), (1, 0)] {
            let mut trace = synthetic::trace(20_000);
            let mut is_kept = true;
            trace
                .iterations
                .retain(|iteration| iteration.lp != other || std::mem::take(&mut is_kept));
            let text = summary(&trace);
            let at = |lp: usize| text.find(&format!("\n{} ", names[lp])).expect("a loop");
            assert!(at(most) < at(other), "{text}");
        }
    }

    #[test]
    fn an_empty_trace_has_a_summary() {
        let text = summary(&Trace::default());
        assert_eq!(text, "0 ns, 0 iterations, 0 callbacks\n\nno loop was blocked for 10.0 ms\n");
    }
}

//! What a thread of another process does, from `/proc`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

use mauve_sys::process::with_stopped_thread;
use mauve_trace::unwind::{self, StoppedThread};

use super::memory::Memory;

/// The id of a process or thread in its own pid namespace: the last in the line `NSpid`.
pub fn inner_id(status: &str) -> Option<u32> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().last()?.parse().ok()
}

/// Describes what a thread does. `id` is its id in its own namespace.
pub fn activity(process: u32, id: u64) -> String {
    let Some(folder) = folder(process, id) else {
        return "  its thread has exited\n".to_owned();
    };
    let mut text = String::new();
    let read = |file: &str| fs::read_to_string(format!("{folder}/{file}")).ok();
    if let Some(state) = read("status").as_deref().and_then(state) {
        let _ = writeln!(text, "  state: {state}");
    }
    if let Some(function) = read("wchan").filter(|text| !text.is_empty() && text != "0") {
        let _ = writeln!(text, "  waits in the kernel in: {function}");
    }
    if let Some((user, system)) = read("stat").as_deref().and_then(cpu_time) {
        let _ = writeln!(text, "  CPU time: {user:.2} s user, {system:.2} s system");
    }
    text
}

/// The registers and the stack of a thread. `id` is its id in its own namespace.
pub fn stopped(memory: &Memory, id: u64) -> Option<StoppedThread> {
    /// More than most callbacks use.
    const MOST: usize = 256 << 10;
    let thread = outer_id(memory.process, id)?;
    let read = || {
        let (pc, registers) = mauve_sys::process::registers(thread).ok()?;
        let registers: HashMap<u16, u64> = registers.into_iter().collect();
        let pointer = *registers.get(&unwind::STACK)?;
        // The stack may end before.
        let sizes = std::iter::successors(Some(MOST), |size| Some(size / 2));
        let mut sizes = sizes.take_while(|size| *size >= 64);
        let stack = sizes.find_map(|size| memory.read(pointer, size).ok())?;
        Some(StoppedThread { pc, registers, stack: (pointer, stack) })
    };
    with_stopped_thread(thread, read).ok()?
}

/// The id in this process's namespace of the thread with the id `id` in its own namespace.
pub fn outer_id(process: u32, id: u64) -> Option<i32> {
    folder(process, id)?.rsplit('/').next()?.parse().ok()
}

fn folder(process: u32, id: u64) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut folders = tasks.flatten().map(|task| task.path().to_string_lossy().into_owned());
    folders.find(|folder| inner_id(&format!("{folder}/status")).map(u64::from) == Some(id))
}

/// The text after `State:`.
fn state(status: &str) -> Option<&str> {
    status.lines().find_map(|line| line.strip_prefix("State:")).map(str::trim)
}

/// Seconds of user and system CPU time, from `/proc/PID/stat`.
fn cpu_time(stat: &str) -> Option<(f64, f64)> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let ticks = rustix::param::clock_ticks_per_second() as f64;
    let mut next = || Some(times.next()?.parse::<f64>().ok()? / ticks);
    Some((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_thread_may_have_parentheses() {
        let ticks = rustix::param::clock_ticks_per_second();
        let stat = format!("7 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 {} {} 0", 3 * ticks, ticks);
        assert_eq!(cpu_time(&stat), Some((3.0, 1.0)));
    }

    #[test]
    fn a_missing_thread_has_exited() {
        assert_eq!(activity(std::process::id(), 0), "  its thread has exited\n");
    }
}

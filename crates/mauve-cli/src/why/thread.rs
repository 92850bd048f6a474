//! What a thread of another process is doing, as far as the kernel tells.

use std::fmt::Write as _;
use std::fs;

/// The last number in the line that lists a process's or thread's numbers from the outermost
/// namespace inwards: the one that it knows itself by.
pub fn own_number(status: &str) -> Option<u32> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().last()?.parse().ok()
}

/// A few lines on the thread that knows itself as `number`.
pub fn doing(process: u32, number: u64) -> String {
    let Some(folder) = folder(process, number) else {
        return "  its thread is gone\n".to_owned();
    };
    let mut text = String::new();
    let read = |file: &str| fs::read_to_string(format!("{folder}/{file}")).ok();
    if let Some(state) = read("status").as_deref().and_then(state) {
        let _ = writeln!(text, "  state: {state}");
    }
    if let Some(place) = read("wchan").filter(|place| !place.is_empty() && place != "0") {
        let _ = writeln!(text, "  waits in the kernel at: {place}");
    }
    if let Some((user, system)) = read("stat").as_deref().and_then(processor_time) {
        let _ =
            writeln!(text, "  processor time: {user:.2} s of its own, {system:.2} s in the kernel");
    }
    let _ =
        writeln!(text, "  to see the callback: gdb -p {process} -batch -ex 'thread apply all bt'");
    text
}

/// How this process numbers the thread that knows itself as `number`.
pub fn number_here(process: u32, number: u64) -> Option<i32> {
    folder(process, number)?.rsplit('/').next()?.parse().ok()
}

fn folder(process: u32, number: u64) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut folders = tasks.flatten().map(|task| task.path().to_string_lossy().into_owned());
    folders.find(|folder| own_number(&format!("{folder}/status")).map(u64::from) == Some(number))
}

/// The letter and the word behind `State:`.
fn state(status: &str) -> Option<&str> {
    status.lines().find_map(|line| line.strip_prefix("State:")).map(str::trim)
}

/// Seconds of processor time, from the line whose second field is a name in parentheses.
fn processor_time(stat: &str) -> Option<(f64, f64)> {
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
    fn the_times_are_found_behind_a_name_with_parentheses() {
        let ticks = rustix::param::clock_ticks_per_second();
        let stat = format!("7 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 {} {} 0", 3 * ticks, ticks);
        assert_eq!(processor_time(&stat), Some((3.0, 1.0)));
    }

    #[test]
    fn a_thread_that_does_not_exist_is_said_to_be_gone() {
        assert_eq!(doing(std::process::id(), 0), "  its thread is gone\n");
    }
}

//! The processes that run on mauve, for a command without a process id.

use std::os::unix::fs::MetadataExt as _;

use super::loops::Root;
use super::memory::Memory;
use crate::table::Table;

/// Prints the processes that have loops of mauve, and that this user may inspect.
pub fn print(command: &str) -> Result<(), String> {
    let mut table = Table::new(["pid", "loops", "program"].map(str::to_owned));
    let mut is_empty = true;
    for (pid, loops, program) in processes()? {
        table.row([pid.to_string(), loops.to_string(), program].map(|cell| vec![cell]).into());
        is_empty = false;
    }
    if is_empty {
        print_line!("no process runs on mauve; `mauve with PROGRAM` starts one");
    } else {
        crate::print(&format!("{table}\nchoose one: mauve {command} PID\n"));
    }
    Ok(())
}

/// Prints the same processes for completions: process id, tab, program.
pub fn print_plain() -> Result<(), String> {
    let lines = processes()?.map(|(pid, _, program)| format!("{pid}\t{program}\n"));
    crate::print(&lines.collect::<String>());
    Ok(())
}

/// The processes with loops: their ids, numbers of loops, and command lines.
fn processes() -> Result<impl Iterator<Item = (u32, usize, String)>, String> {
    let entries = std::fs::read_dir("/proc").map_err(|error| format!("/proc: {error}"))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut pids: Vec<u32> = names.filter_map(|name| name.parse().ok()).collect();
    pids.sort_unstable();
    let others = pids.into_iter().filter(|pid| *pid != std::process::id());
    Ok(others.filter_map(|pid| describe(pid).map(|(loops, program)| (pid, loops, program))))
}

/// The number of loops of a process, and its command line. None if it has no loop.
fn describe(pid: u32) -> Option<(usize, String)> {
    let memory = Memory::of(pid).ok()?;
    let roots = memory.probe_roots().ok()?;
    let roots = roots.into_iter().filter_map(|root| Root::read(&memory, root).ok());
    let loops: usize = roots.filter_map(|root| Some(root.loops(&memory).ok()?.len())).sum();
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    if is_this_command(pid) && observes(&line) {
        return None;
    }
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    let shown: String = line.trim_end().chars().take(100).collect();
    let shown = if shown.is_empty() { memory.program_name() } else { shown };
    (loops > 0).then_some((loops, shown))
}

fn is_this_command(pid: u32) -> bool {
    let file = |process: &str| std::fs::metadata(format!("/proc/{process}/exe")).ok();
    let (one, other) = (file(&pid.to_string()), file("self"));
    one.zip(other).is_some_and(|(one, other)| (one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Whether a command line of this command is one whose loop only looks at another process.
fn observes(line: &[u8]) -> bool {
    let mut arguments = line.split(|byte| *byte == 0).skip(1);
    match arguments.next() {
        Some(b"trace" | b"top") => true,
        Some(b"run") => {
            let mut options = arguments.take_while(|argument| argument.starts_with(b"-"));
            options.any(|option| option.starts_with(b"--trace"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_that_look_at_others_are_known() {
        for line in
            ["mauve\0trace\0node\0", "mauve\0top\x007\0", "mauve\0run\0--trace\0x.html\0a.js\0"]
        {
            assert!(observes(line.as_bytes()), "{line:?}");
        }
        for line in ["mauve\0run\0a.js\0--trace\0", "mauve\0a.js\0trace\0", "mauve\0demo\0", ""] {
            assert!(!observes(line.as_bytes()), "{line:?}");
        }
    }
}

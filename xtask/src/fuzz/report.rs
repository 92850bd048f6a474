//! Prints a difference: the script, the first lines that differ, and the commands to reproduce it.

use super::compare::Difference;
use super::run::{Library, Runner};
use super::script::Script;
use crate::files::write;

/// Printed lines of a trace before the first difference.
const BEFORE: usize = 12;

/// Printed lines of each trace from the first difference on.
const AFTER: usize = 8;

/// Keeps one difference of each signature, and prints how many there were.
pub fn distinct(mut different: Vec<(u64, Difference)>) -> Vec<(u64, Difference)> {
    let mut counts: Vec<((String, String), u64, usize)> = Vec::new();
    different.retain(|(seed, difference)| {
        let signature = signature(difference);
        let known = counts.iter_mut().find(|(known, ..)| *known == signature);
        match known {
            Some((_, _, count)) => *count += 1,
            None => {
                counts.push((signature, *seed, 1));
                return true;
            }
        }
        false
    });
    for ((libuv, ours), seed, count) in counts {
        println!("{count} like seed {seed}:\n  libuv  {libuv}\n  mauve  {ours}");
    }
    different
}

/// The first lines that differ, without numbers. Differences with the same signature probably have
/// the same cause.
fn signature(difference: &Difference) -> (String, String) {
    let (mut libuv, mut ours) = (difference.libuv.lines(), difference.ours.lines());
    let plain = |line: Option<&str>| {
        let text = line.unwrap_or_default().chars();
        text.filter(|letter| !letter.is_ascii_digit()).collect::<String>()
    };
    loop {
        let (one, other) = (libuv.next(), ours.next());
        if one != other || one.is_none() {
            return (plain(one), plain(other));
        }
    }
}

/// Prints a difference, and writes the script and the traces to files.
pub fn print(
    runner: &Runner,
    seed: u64,
    script: &Script,
    difference: &Difference,
) -> Result<(), String> {
    let folder = super::folder()?;
    let file = folder.join(format!("{seed}.script"));
    write(&file, script.to_string())?;
    write(&folder.join(format!("{seed}.libuv")), &difference.libuv)?;
    write(&folder.join(format!("{seed}.mauve")), &difference.ours)?;
    println!("\n-- seed {seed}: a difference\n{script}");
    let (libuv, ours): (Vec<_>, Vec<_>) =
        (difference.libuv.lines().collect(), difference.ours.lines().collect());
    let same = libuv.iter().zip(&ours).take_while(|(one, other)| one == other).count();
    for line in &libuv[same.saturating_sub(BEFORE)..same] {
        println!("          {line}");
    }
    for (name, trace) in [("libuv", &libuv), ("mauve", &ours)] {
        for line in trace.iter().skip(same).take(AFTER) {
            println!("   {name}  {line}");
        }
    }
    println!("to reproduce: {}", runner.command(Library::Libuv, &file));
    println!("              {}", runner.command(Library::Mauve, &file));
    Ok(())
}

//! Reads a log, and puts its decisions into words.

use std::path::Path;

use mauve_core::schedule::{Decision, DecisionKind};
use mauve_trace::Symbols;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Decision(Decision),
    /// A callback: its kind and name.
    Call(String),
}

/// The line of a log with the seed of random numbers, which decisions do not have.
pub fn seed_line(seed: u64) -> String {
    format!("{SEED}\t{seed}\n")
}

/// The seed of random numbers.
pub fn seed(log: &str) -> Option<u64> {
    log.lines().next()?.strip_prefix(SEED)?.trim().parse().ok()
}

const SEED: &str = "seed";

/// The decisions and callbacks of a log.
pub fn lines(log: &str) -> Vec<Line> {
    let line = |line: &str| {
        if let Ok(decision) = line.parse() {
            return Some(Line::Decision(decision));
        }
        let mut words = line.splitn(4, '\t');
        let call = words.next() == Some("call");
        let (_, kind, name) = (words.next()?, words.next()?, words.next()?);
        call.then(|| Line::Call(format!("{kind} {name}").trim_end().to_owned()))
    };
    log.lines().filter_map(line).collect()
}

/// The decisions that are not those of the plain schedule.
pub fn chosen(log: &str) -> Vec<Decision> {
    let decisions = lines(log).into_iter().filter_map(|line| match line {
        Line::Decision(decision) if decision.choice != 0 => Some(decision),
        _ => None,
    });
    decisions.collect()
}

/// Puts names of functions into texts that have a module and an offset in it.
#[derive(Default)]
pub struct Names(Symbols);

impl Names {
    /// A callback in words: `timer on_tick (app.c:12)`.
    pub fn resolve(&mut self, text: &str) -> String {
        let words = text.split(' ').map(|word| {
            let code = word.rsplit_once("+0x").filter(|(path, _)| path.starts_with('/'));
            let offset =
                code.and_then(|(path, at)| Some((path, u64::from_str_radix(at, 16).ok()?)));
            match offset {
                Some((path, offset)) => self.0.name(Path::new(path), offset).to_string(),
                None => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// A log whose callbacks have the names of their functions.
    pub fn resolve_calls(&mut self, log: &str) -> String {
        let resolve = |line: &str| match line.rsplit_once('\t') {
            Some((call, name)) if call.starts_with("call\t") => {
                format!("{call}\t{}\n", self.resolve(name))
            }
            _ => format!("{line}\n"),
        };
        log.lines().map(resolve).collect()
    }

    /// What a decision does.
    pub fn describe(&mut self, decision: &Decision) -> String {
        let Decision { key, choice, .. } = decision;
        let subject = self.resolve(&decision.subject);
        let subject = match subject.as_str() {
            "" => "a callback",
            // The layer has the same function for all.
            subject if subject.contains("(crates/mauve") => {
                subject.split(' ').next().unwrap_or(subject)
            }
            subject => subject,
        };
        match key.kind {
            DecisionKind::Event => {
                format!("the event of {subject} comes before other ready events")
            }
            DecisionKind::LaterEvents => {
                format!("ready events wait for the next iteration ({choice}, from {subject} on)")
            }
            DecisionKind::TimerBeforeEvents => {
                format!("the next timer is due before the event of {subject}")
            }
            DecisionKind::LateTimer => format!("the wait for the next timer is late {subject}"),
            DecisionKind::LaterWakeup => {
                format!("notified async handles are called {subject}")
            }
            DecisionKind::Work => {
                format!("the request of {subject} ends before requests submitted earlier")
            }
            DecisionKind::LaterWork => {
                format!("requests end one iteration later ({choice}, from {subject} on)")
            }
            DecisionKind::TimerBeforeWork => {
                format!("the next timer is due before the request of {subject} ends")
            }
            DecisionKind::Read => format!("a read returns {subject}"),
            DecisionKind::Write => format!("a write takes {subject}"),
            DecisionKind::FaultAccept
            | DecisionKind::FaultConnect
            | DecisionKind::FaultReceive
            | DecisionKind::FaultSend
            | DecisionKind::FaultRequest => format!("a call fails: {subject}"),
            DecisionKind::FaultChild => format!("the child of {subject} is killed"),
            DecisionKind::FaultLoss => format!("{subject} gets lost"),
        }
    }
}

/// Whether a callback, with the name of its function, belongs to the program and not to the layer between it and
/// the loop.
pub fn is_of_program(call: &str) -> bool {
    let of_layer = ["(node:", "(crates/mauve", " node::Environment::", "void node::Environment::"]
        .iter()
        .any(|inner| call.contains(inner));
    !of_layer && call.contains(' ')
}

/// The callbacks of the program that follow the decisions of a log with a choice, in the same order.
pub fn calls_after(log: &str) -> Vec<Option<String>> {
    let lines = lines(log);
    let after = |at: usize| {
        lines[at..].iter().find_map(|line| match line {
            Line::Call(call) => Some(call.clone()).filter(|call| is_of_program(call)),
            Line::Decision(_) => None,
        })
    };
    let chosen = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| matches!(line, Line::Decision(decision) if decision.choice != 0));
    chosen.map(|(at, _)| after(at)).collect()
}

/// The first lines in which two logs differ, and the number of lines before.
pub fn difference(one: &str, other: &str) -> Option<(usize, String, String)> {
    let (one, other): (Vec<_>, Vec<_>) = (one.lines().collect(), other.lines().collect());
    let at = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))?;
    let line = |lines: &[&str]| lines.get(at).map_or("the end".to_owned(), |line| (*line).into());
    Some((at, line(&one), line(&other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "decide\t1\tevent\t0\t0\t2\tread a\ncall\t1\tread\ta\n\
                       decide\t1\tlate-timer\t0\t3\t5\tby 5 ms\ncall\t1\ttimer\tb\n";

    #[test]
    fn a_log_has_decisions_and_calls() {
        let kinds: Vec<_> = lines(LOG).iter().map(|l| matches!(l, Line::Call(_))).collect();
        assert_eq!(kinds, [false, true, false, true]);
        let chosen = chosen(LOG);
        let words: Vec<_> = chosen.iter().map(|d| Names::default().describe(d)).collect();
        assert_eq!(words, ["the wait for the next timer is late by 5 ms"]);
        assert_eq!(calls_after(LOG), [Some("timer b".to_owned())]);
    }

    #[test]
    fn a_log_can_have_a_seed() {
        let log = seed_line(17) + LOG;
        assert_eq!((seed(&log), seed(LOG)), (Some(17), None));
        assert_eq!(lines(&log), lines(LOG));
    }

    #[test]
    fn the_first_difference_of_two_logs_is_found() {
        assert_eq!(difference(LOG, LOG), None);
        let (at, one, other) = difference("a\nb\n", "a\n").unwrap();
        assert_eq!((at, one.as_str(), other.as_str()), (1, "b", "the end"));
    }
}

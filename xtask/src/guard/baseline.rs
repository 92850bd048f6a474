//! The recorded counts, `benches/guard.json`, and the allowed deviation from them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::counter::Counter;
use crate::build::quietly;
use crate::root;

/// Allowed relative growth of instructions.
const INSTRUCTIONS: f64 = 0.05;
/// The same if another compiler version has built the library.
const OTHER_COMPILER: f64 = 0.25;
/// Allowed growth of system calls and allocations per iteration. Enough for the amortised growth of
/// a table and for rare lock contention.
const CALLS: f64 = 0.1;
/// Allowed growth of system calls of paths with several threads, which depend on scheduling.
const THREADS: f64 = 2.0;

/// The recorded counts.
pub struct Baseline {
    compiler: String,
    same_compiler: bool,
    paths: Map<String, Value>,
}

/// A count compared with the baseline.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The baseline has no such count.
    Unknown,
    /// Within the allowed deviation.
    Unchanged,
    /// More than allowed.
    Grown { recorded: f64, allowed: f64 },
    /// So much less that the baseline should be updated.
    Shrunk { recorded: f64 },
}

impl Baseline {
    pub fn read() -> Result<Self, String> {
        let compiler = compiler();
        let text = match std::fs::read_to_string(path()) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => "{}".to_owned(),
            Err(error) => return Err(format!("{}: {error}", path().display())),
        };
        let data: Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path().display()))?;
        let paths = data["paths"].as_object().cloned().unwrap_or_default();
        Ok(Self { same_compiler: data["compiler"] == compiler, compiler, paths })
    }

    pub fn compare(&self, path: &str, counter: Counter, measured: f64) -> Verdict {
        let recorded = self.paths.get(path).and_then(|path| path[counter.key()].as_f64());
        let Some(recorded) = recorded else { return Verdict::Unknown };
        let deviation = match counter {
            Counter::Instructions if self.same_compiler => recorded * INSTRUCTIONS,
            Counter::Instructions => recorded * OTHER_COMPILER,
            Counter::Calls if path == "queue_work" => THREADS,
            Counter::Calls | Counter::Allocations => CALLS,
        };
        if measured > recorded + deviation {
            Verdict::Grown { recorded, allowed: recorded + deviation }
        } else if measured < recorded - deviation {
            Verdict::Shrunk { recorded }
        } else {
            Verdict::Unchanged
        }
    }

    pub fn set(&mut self, path: &str, counter: Counter, measured: f64) {
        let entry = self.paths.entry(path).or_insert_with(|| json!({}));
        entry[counter.key()] = json!((measured * 100.0).round() / 100.0);
    }

    pub fn write(&self) -> Result<(), String> {
        let data = json!({ "compiler": self.compiler, "paths": self.paths });
        std::fs::write(path(), format!("{data:#}\n"))
            .map_err(|e| format!("{}: {e}", path().display()))?;
        println!("{}", path().display());
        Ok(())
    }
}

fn path() -> PathBuf {
    root().join("benches/guard.json")
}

/// The version of the compiler, and so of the standard library that the library contains.
fn compiler() -> String {
    let version = quietly(Command::new("rustc").arg("--version").current_dir(root()));
    version.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(same_compiler: bool) -> Baseline {
        let mut baseline = Baseline { compiler: String::new(), same_compiler, paths: Map::new() };
        baseline.set("tcp_echo", Counter::Instructions, 1000.0);
        baseline.set("tcp_echo", Counter::Allocations, 0.0);
        baseline
    }

    #[test]
    fn a_count_above_the_allowed_deviation_has_grown() {
        let verdict = baseline(true).compare("tcp_echo", Counter::Instructions, 1051.0);
        assert_eq!(verdict, Verdict::Grown { recorded: 1000.0, allowed: 1050.0 });
        let verdict = baseline(true).compare("tcp_echo", Counter::Allocations, 1.0);
        assert!(matches!(verdict, Verdict::Grown { .. }));
    }

    #[test]
    fn another_compiler_allows_a_larger_deviation() {
        let verdict = baseline(false).compare("tcp_echo", Counter::Instructions, 1200.0);
        assert_eq!(verdict, Verdict::Unchanged);
    }

    #[test]
    fn a_count_below_the_allowed_deviation_has_shrunk() {
        let verdict = baseline(true).compare("tcp_echo", Counter::Instructions, 900.0);
        assert_eq!(verdict, Verdict::Shrunk { recorded: 1000.0 });
    }

    #[test]
    fn a_count_without_a_baseline_is_unknown() {
        assert_eq!(baseline(true).compare("tcp_echo", Counter::Calls, 1.0), Verdict::Unknown);
        assert_eq!(baseline(true).compare("other", Counter::Calls, 1.0), Verdict::Unknown);
    }
}

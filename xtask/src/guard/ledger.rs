//! The counts that were noted, `benches/guard.json`, and how far a new one may be from them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::counts::Counter;
use crate::build::quietly;
use crate::root;

/// By how much instructions may grow before it is told.
const INSTRUCTIONS: f64 = 0.05;
/// The same if another compiler has made the library: it may have other ideas.
const OTHER_COMPILER: f64 = 0.25;
/// By how much system calls and allocations may grow, per time. Enough for a table that doubles now
/// and then, and for threads that meet.
const FEW: f64 = 0.1;
/// System calls where threads take part depend on who is faster.
const THREADS: f64 = 2.0;

/// What was noted.
pub struct Ledger {
    compiler: String,
    same_compiler: bool,
    paths: Map<String, Value>,
}

/// What a count means.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// Nothing was noted.
    Unknown,
    /// As it was.
    Held,
    /// More than allowed.
    Grown { noted: f64, allowed: f64 },
    /// So much less that it should be noted.
    Shrunk { noted: f64 },
}

impl Ledger {
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

    pub fn judge(&self, path: &str, counter: Counter, measured: f64) -> Verdict {
        let Some(noted) = self.paths.get(path).and_then(|path| path[counter.key()].as_f64()) else {
            return Verdict::Unknown;
        };
        let more = match counter {
            Counter::Instructions if self.same_compiler => noted * INSTRUCTIONS,
            Counter::Instructions => noted * OTHER_COMPILER,
            Counter::Calls if path == "queue_work" => THREADS,
            Counter::Calls | Counter::Allocations => FEW,
        };
        if measured > noted + more {
            Verdict::Grown { noted, allowed: noted + more }
        } else if measured < noted - more {
            Verdict::Shrunk { noted }
        } else {
            Verdict::Held
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

/// The compiler's version, which is also that of the standard library in the product.
fn compiler() -> String {
    let said = quietly(Command::new("rustc").arg("--version").current_dir(root()));
    said.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(same_compiler: bool) -> Ledger {
        let mut ledger = Ledger { compiler: String::new(), same_compiler, paths: Map::new() };
        ledger.set("tcp_echo", Counter::Instructions, 1000.0);
        ledger.set("tcp_echo", Counter::Allocations, 0.0);
        ledger
    }

    #[test]
    fn a_count_that_has_grown_is_told_with_what_was_allowed() {
        let verdict = ledger(true).judge("tcp_echo", Counter::Instructions, 1051.0);
        assert_eq!(verdict, Verdict::Grown { noted: 1000.0, allowed: 1050.0 });
        let verdict = ledger(true).judge("tcp_echo", Counter::Allocations, 1.0);
        assert!(matches!(verdict, Verdict::Grown { .. }));
    }

    #[test]
    fn another_compiler_is_given_more_room() {
        let verdict = ledger(false).judge("tcp_echo", Counter::Instructions, 1200.0);
        assert_eq!(verdict, Verdict::Held);
    }

    #[test]
    fn a_count_that_has_shrunk_is_worth_noting() {
        let verdict = ledger(true).judge("tcp_echo", Counter::Instructions, 900.0);
        assert_eq!(verdict, Verdict::Shrunk { noted: 1000.0 });
    }

    #[test]
    fn what_was_never_noted_is_unknown() {
        assert_eq!(ledger(true).judge("tcp_echo", Counter::Calls, 1.0), Verdict::Unknown);
        assert_eq!(ledger(true).judge("other", Counter::Calls, 1.0), Verdict::Unknown);
    }
}

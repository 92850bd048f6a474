//! What a run has shown, written for people, for programs and for the eye.

mod json;
mod markdown;
mod svg;

use std::path::Path;

use super::Depth;
use super::contender::Contender::{self, CAbi, Libuv};
use super::figures::{Ratio, Row};
use super::goals::{self, FLOOR, is_below_floor};
use super::machine::Machine;
use super::peers;
use crate::root;

/// A run.
pub struct Report {
    pub machine: Machine,
    pub depth: Depth,
    /// Whether all workloads were run.
    pub whole: bool,
    pub rows: Vec<Row>,
    pub skipped: Vec<String>,
    /// How long measuring has taken.
    pub seconds: u64,
    /// How long it took before that to build everybody.
    pub building: u64,
}

impl Report {
    /// Prints the tables and writes them to the target folder; to `docs/bench` too if they are to
    /// be kept.
    pub fn write(&self, save: bool) -> Result<(), String> {
        let text = markdown::render(self);
        println!("\n{text}");
        self.write_to(&peers::folder()?, &text)?;
        if save {
            if !self.whole || self.depth != Depth::Full {
                return Err("only a whole run is kept in docs/bench".to_owned());
            }
            self.write_to(&root().join("docs/bench"), &text)?;
        }
        Ok(())
    }

    fn write_to(&self, folder: &Path, text: &str) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let files = [
            ("README.md", text.to_owned()),
            ("bench.json", json::render(self)),
            ("chart.svg", svg::render(self)),
        ];
        for (name, content) in files {
            let path = folder.join(name);
            std::fs::write(&path, content).map_err(|e| format!("{}: {e}", path.display()))?;
            println!("{}", path.display());
        }
        Ok(())
    }

    /// The workloads of the C ABI with their ratios to libuv.
    fn compared(&self) -> impl Iterator<Item = (&Row, Ratio)> {
        self.rows.iter().filter_map(|row| Some((row, row.ratio(CAbi, Libuv)?)))
    }

    /// The workloads that somebody does in Rust.
    fn in_rust(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.contenders().any(|contender| !contender.is_c()))
    }
}

/// What is to be said about a ratio to libuv. Goals are compared with the libuv that they were set
/// against.
fn remark(row: &Row, ratio: f64) -> String {
    let goal = goals::for_workload(&row.name).and_then(|goal| {
        let reached = row.ratio(CAbi, goals::peer(row))?.median >= goal;
        Some(format!("goal {goal:.2} {}", if reached { "reached" } else { "missed" }))
    });
    let below = is_below_floor(ratio).then(|| {
        let reason = goals::reason(CAbi, &row.name).map_or(String::new(), |why| format!(": {why}"));
        format!("**below {FLOOR}**{reason}")
    });
    [goal, below].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Nanoseconds, or bytes, with as many digits as one can use.
fn figure(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value < 100.0 => format!("{value:.1}"),
        Some(value) => thousands(value.round() as u64),
    }
}

fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Those who have done any of these workloads.
fn contenders_of<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Contender> {
    let mut all: Vec<Contender> = rows.flat_map(Row::contenders).collect();
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    pub fn report() -> Report {
        let mut row = Row::new("tcp", "tcp echo 64 B, 64 connections".into());
        let mut slow = Row::new("async", "async <1> & more".into());
        let sample = |cpu| Sample { name: String::new(), cpu, wall: Some(cpu * 2.0), calls: None };
        for round in 0..3 {
            row.add(Libuv, round, sample(3000.0));
            row.add(CAbi, round, sample(2000.0));
            row.add(Contender::Closures, round, sample(1900.0));
            row.add(Contender::Tokio, round, sample(1800.0));
            slow.add(Libuv, round, sample(10.0));
            slow.add(CAbi, round, sample(20.0));
        }
        row.set_calls(CAbi, 2.0);
        let machine = Machine {
            revision: "abc".into(),
            date: "2026-01-01".into(),
            libuv: "1.53.0".into(),
            libuv_1_52: Some("1.52.1".into()),
            ours: "1.52.0".into(),
            kernel: "Linux".into(),
            processor: "x".into(),
            cores: 2,
        };
        Report {
            machine,
            depth: Depth::Full,
            whole: true,
            rows: vec![row, slow],
            skipped: vec!["nobody: gone".into()],
            seconds: 5,
            building: 1,
        }
    }

    #[test]
    fn numbers_have_commas_between_thousands() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        assert_eq!(figure(Some(12.34)), "12.3");
    }

    #[test]
    fn the_text_names_what_is_below_the_floor_and_what_was_left_out() {
        let text = markdown::render(&report());
        assert!(text.contains("| async <1> & more | 10.0 | 20.0 | **0.50** |"), "{text}");
        assert!(text.contains("**below 0.97**") && text.contains("nobody: gone"), "{text}");
        assert!(text.contains("goal 1.25 reached"), "{text}");
    }

    #[test]
    fn the_chart_is_well_formed() {
        let chart = svg::render(&report());
        assert!(chart.starts_with("<svg ") && chart.trim_end().ends_with("</svg>"));
        assert!(chart.contains("async &lt;1&gt; &amp; more"), "{chart}");
        assert_eq!(chart.matches("<g").count(), chart.matches("</g>").count());
    }

    #[test]
    fn the_data_can_be_read_back() {
        let data: serde_json::Value = serde_json::from_str(&json::render(&report())).unwrap();
        assert_eq!(data["rows"][0]["contenders"]["c_abi"]["calls"], 2.0);
        assert_eq!(data["rows"][0]["ratios"]["c_abi_to_libuv"]["median"], 1.5);
    }
}

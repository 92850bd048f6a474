//! The report of a run: Markdown, JSON and a chart.

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
use super::workloads::{Cores, Profile};
use crate::root;

/// A run and its rows.
pub struct Report {
    pub machine: Machine,
    pub depth: Depth,
    /// Whether all workloads were run.
    pub whole: bool,
    pub rows: Vec<Row>,
    pub skipped: Vec<String>,
    /// Seconds of measuring.
    pub seconds: u64,
    /// Seconds of building before that.
    pub building: u64,
}

impl Report {
    /// Prints the tables and writes them to the target folder, and to `docs/bench` if `save`.
    pub fn write(&self, save: bool) -> Result<(), String> {
        let text = markdown::render(self);
        println!("\n{text}");
        self.write_to(&peers::folder()?, &text)?;
        if save {
            if !self.whole || self.depth != Depth::Full {
                return Err("--save needs a full run, without --quick and GROUP".to_owned());
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
    fn compared(&self, cores: Cores) -> impl Iterator<Item = (&Row, Ratio)> {
        let rows = self.rows.iter().filter(move |row| row.cores == cores);
        rows.filter_map(|row| Some((row, row.ratio(CAbi, Libuv)?)))
    }

    /// The workloads with a contender in Rust that was built in this profile.
    fn in_rust(&self, profile: Profile) -> impl Iterator<Item = &Row> {
        let rows = self.rows.iter().filter(move |row| row.profile == profile);
        rows.filter(|row| row.contenders().any(|contender| !contender.is_c()))
    }
}

/// The remark on a ratio to libuv: goals, which refer to libuv 1.52, and the floor.
fn remark(row: &Row, ratio: f64) -> String {
    let goal = goals::for_row(row).and_then(|goal| {
        let reached = row.ratio(CAbi, goals::peer(row))?.median >= goal;
        Some(format!("goal {goal:.2} {}", if reached { "reached" } else { "missed" }))
    });
    let below = is_below_floor(ratio).then(|| {
        let reason = goals::reason(CAbi, &row.name).map_or(String::new(), |why| format!(": {why}"));
        format!("**below {FLOOR}**{reason}")
    });
    [goal, below].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Nanoseconds or bytes with the significant digits.
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

/// The contenders of these workloads.
fn contenders_of<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Contender> {
    let mut all: Vec<Contender> = rows.flat_map(Row::contenders).collect();
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use mauve_bench::Sample;

    use super::*;

    pub fn report() -> Report {
        let mut row = Row::new("tcp", "tcp echo 64 B, 64 connections".into(), Cores::One);
        let mut slow = Row::new("async", "async <1> & more".into(), Cores::One);
        let mut across = Row::new("async", "async pummel, 1 sender".into(), Cores::Two);
        let sample = |cpu| Sample { name: String::new(), cpu, wall: Some(cpu * 2.0), calls: None };
        for round in 0..3 {
            row.add(Libuv, round, sample(3000.0));
            row.add(CAbi, round, sample(2000.0));
            row.add(Contender::Closures, round, sample(1900.0));
            row.add(Contender::Tokio, round, sample(1800.0));
            slow.add(Libuv, round, sample(10.0));
            slow.add(CAbi, round, sample(20.0));
            across.add(Libuv, round, sample(30.0));
            across.add(CAbi, round, sample(10.0));
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
            rows: vec![row, slow, across],
            skipped: vec!["tokio: no compiler".into()],
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
    fn the_text_names_ratios_below_the_floor_and_skipped_workloads() {
        let text = markdown::render(&report());
        assert!(text.contains("| async <1> & more | 10.0 | 20.0 | **0.50** |"), "{text}");
        assert!(text.contains("**below 0.97**") && text.contains("tokio: no compiler"), "{text}");
        assert!(text.contains("goal 1.15 reached"), "{text}");
        let two = text.split("## On two cores").nth(1).unwrap();
        assert!(two.contains("| async pummel, 1 sender | 30.0 | 10.0 | **3.00** |"), "{text}");
    }

    #[test]
    fn the_chart_is_well_formed() {
        let chart = svg::render(&report());
        assert!(chart.starts_with("<svg ") && chart.trim_end().ends_with("</svg>"));
        assert!(chart.contains("async &lt;1&gt; &amp; more"), "{chart}");
        assert_eq!(chart.matches("<g").count(), chart.matches("</g>").count());
    }

    #[test]
    fn the_json_parses() {
        let data: serde_json::Value = serde_json::from_str(&json::render(&report())).unwrap();
        assert_eq!(data["rows"][0]["contenders"]["c_abi"]["calls"], 2.0);
        assert_eq!(data["rows"][0]["ratios"]["c_abi_to_libuv"]["median"], 1.5);
    }
}

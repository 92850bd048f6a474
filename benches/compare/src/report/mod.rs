//! The report of a run: Markdown and a chart.

mod headline;
mod markdown;
mod svg;
mod terminal;

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
    /// Prints the ratios. Writes the report to the target folder, and to `docs/bench` if `save`.
    pub fn write(&self, save: bool) -> Result<(), String> {
        let text = markdown::render(self);
        println!("\n{}", terminal::render(self));
        self.write_to(&peers::folder()?, &text)?;
        if save {
            if !self.whole || self.depth != Depth::Full {
                return Err("--save needs a full run, without --quick and GROUP".to_owned());
            }
            self.write_to(&root().join("docs/bench"), &text)?;
        }
        Ok(())
    }

    /// The chart is drawn from the text, whose figures are rounded, so that both always agree.
    fn write_to(&self, folder: &Path, text: &str) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        write_file(&folder.join("README.md"), text)?;
        draw_chart(folder, text)
    }

    /// The workloads with figures of this kind. One that could not be measured has none.
    fn of(&self, kind: Kind) -> impl Iterator<Item = &Row> {
        let is_measured =
            |row: &&Row| row.contenders().any(|it| row.cpu(it).is_some_and(|figure| figure > 0.0));
        self.rows.iter().filter(move |row| Kind::of(row) == kind).filter(is_measured)
    }

    /// The workloads of the C ABI with their ratios to libuv.
    fn compared(&self, cores: Cores) -> impl Iterator<Item = (&Row, Ratio)> {
        let kinds = [Kind::Cpu, Kind::Bytes].into_iter().flat_map(|kind| self.of(kind));
        let rows = kinds.filter(move |row| row.cores == cores);
        rows.filter_map(|row| Some((row, row.ratio(CAbi, Libuv)?)))
    }

    /// The workloads with a contender in Rust that was built in this profile.
    fn in_rust(&self, profile: Profile) -> impl Iterator<Item = &Row> {
        let rows = self.rows.iter().filter(move |row| row.profile == profile);
        rows.filter(|row| row.contenders().any(|contender| !contender.is_c()))
    }
}

/// What the figures of a workload are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Cpu,
    Elapsed,
    Bytes,
}

impl Kind {
    fn of(row: &Row) -> Self {
        match &row.name {
            name if name.starts_with("bytes ") => Self::Bytes,
            // Several loops run at the same time.
            name if name.starts_with("workers, ") => Self::Elapsed,
            _ => Self::Cpu,
        }
    }
}

/// Draws the chart of the stored report again.
pub fn draw_stored() -> Result<(), String> {
    let folder = root().join("docs/bench");
    let report = folder.join("README.md");
    let text =
        std::fs::read_to_string(&report).map_err(|e| format!("{}: {e}", report.display()))?;
    draw_chart(&folder, &text)
}

fn draw_chart(folder: &Path, text: &str) -> Result<(), String> {
    let (title, bars) = headline::parse(text).ok_or("the report has no table of bars")?;
    write_file(&folder.join("chart.svg"), &svg::render(&title, &bars))
}

fn write_file(path: &Path, content: &str) -> Result<(), String> {
    std::fs::write(path, content).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// The remark on a ratio to libuv that is below the floor: its reason, if it is known.
fn remark(row: &Row, ratio: f64) -> String {
    let reason = goals::reason(CAbi, &row.name).unwrap_or("libuv needs less");
    if is_below_floor(ratio) { format!("**below {FLOOR}**: {reason}") } else { String::new() }
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
pub mod tests {
    use mauve_bench::Sample;

    use super::*;

    pub fn report() -> Report {
        let mut row = Row::new("tcp echo 64 B, 64 connections".into(), Cores::One);
        let mut slow = Row::new("async <1> & more".into(), Cores::One);
        let mut across = Row::new("async pummel, 1 sender".into(), Cores::Two);
        let sample = |cpu| Sample { name: String::new(), cpu, wall: Some(cpu * 2.0), calls: None };
        for pass in 0..3 {
            row.add(Libuv, pass, sample(3000.0));
            row.add(CAbi, pass, sample(2000.0));
            row.add(Contender::Closures, pass, sample(1900.0));
            row.add(Contender::Tokio, pass, sample(1800.0));
            slow.add(Libuv, pass, sample(10.0));
            slow.add(CAbi, pass, sample(20.0));
            across.add(Libuv, pass, sample(30.0));
            across.add(CAbi, pass, sample(10.0));
        }
        row.set_calls(CAbi, 2.0);
        let machine = Machine {
            revision: "abc".into(),
            date: "2026-01-01".into(),
            libuv: "1.53.0".into(),
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
        assert!(text.find("**below").unwrap() < text.find("## Goals").unwrap(), "{text}");
        let two = text.split("## On two cores").nth(1).unwrap();
        assert!(two.contains("| async pummel, 1 sender | 30.0 | 10.0 | **3.00** |"), "{text}");
    }

    #[test]
    fn the_chart_is_well_formed() {
        let mut report = report();
        report.machine.revision = "async <1> & more".into();
        let bar = |ratio| headline::Bar {
            program: "all".into(),
            workload: "a & b".into(),
            ratio,
            low: 0.4,
            high: 3.0,
        };
        let chart = svg::render(&headline::title(&report), &[bar(0.5), bar(2.0)]);
        assert!(chart.starts_with("<svg ") && chart.trim_end().ends_with("</svg>"));
        assert!(chart.contains("async &lt;1&gt; &amp; more"), "{chart}");
        assert_eq!(chart.matches("<g>").count(), chart.matches("</g>").count());
        assert!(chart.contains("class=\"worse\"") && chart.contains("class=\"better\""), "{chart}");
    }

    #[test]
    fn a_terminal_shows_no_goals_and_no_workload_that_was_not_measured() {
        let mut report = report();
        let mut empty = Row::new("bytes of nothing".into(), Cores::One);
        let sample = Sample { name: String::new(), cpu: 0.0, wall: None, calls: None };
        empty.add(Libuv, 0, sample.clone());
        empty.add(CAbi, 0, sample);
        report.rows.push(empty);
        let text = terminal::render(&report);
        assert!(!text.contains("goal") && !text.contains("nothing"), "{text}");
        assert!(text.contains("0.50 <") && text.contains("on two cores"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

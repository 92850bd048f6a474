//! The report for a terminal: the ratios of each workload, in columns of text.

use super::super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::super::figures::Row;
use super::super::goals::{FLOOR, is_below_floor};
use super::super::workloads::{Cores, Profile};
use super::{Kind, Report, contenders_of, figure};

/// The text: a table for the C library, one for two cores, one for Rust, and one for each kind of figure
/// that is no CPU time.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    let c = |cores| move |row: &&Row| row.cores == cores && row.ratio(CAbi, Libuv).is_some();
    let rust = |row: &&Row| {
        row.profile == Profile::Whole && row.contenders().any(|contender| !contender.is_c())
    };
    let libuv = &report.machine.libuv;
    for (title, kind, cores) in [
        ("CPU time per operation in nanoseconds", Kind::Cpu, Cores::One),
        ("CPU time per operation in nanoseconds, on two cores", Kind::Cpu, Cores::Two),
        ("Memory in bytes", Kind::Bytes, Cores::One),
    ] {
        let rows = report.of(kind).filter(c(cores));
        text += &table(&format!("{title}, libuv {libuv}"), rows, &[Libuv, CAbi], (CAbi, Libuv));
    }
    for (title, kind) in [
        ("CPU time per operation in nanoseconds, from Rust", Kind::Cpu),
        ("Memory in bytes, from Rust", Kind::Bytes),
        ("Elapsed time per operation in nanoseconds, from Rust", Kind::Elapsed),
    ] {
        let rows = || report.of(kind).filter(rust);
        let mut contenders = contenders_of(rows());
        contenders.retain(|contender| !contender.is_c());
        let ours = if contenders.contains(&Closures) { Closures } else { Tasks };
        text += &table(title, rows(), &contenders, (ours, Tokio));
    }
    for line in &report.skipped {
        text += &format!("skipped: {}\n", line.replace('\n', " "));
    }
    text
}

/// A table with the figures of some contenders, and a ratio. Empty without rows.
fn table<'a>(
    title: &str,
    rows: impl Iterator<Item = &'a Row>,
    contenders: &[Contender],
    (one, other): (Contender, Contender),
) -> String {
    let rows: Vec<&Row> = rows.collect();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("{title}\n\n{:width$}", "");
    for contender in contenders {
        text += &format!("  {:>15}", contender.title());
    }
    text += "   ratio\n";
    for row in rows {
        text += &format!("{:width$}", row.name);
        for contender in contenders {
            text += &format!("  {:>15}", figure(row.cpu(*contender)));
        }
        text += &match row.ratio(one, other) {
            Some(ratio) if is_below_floor(ratio.median) => format!("  {:>6.2} <\n", ratio.median),
            Some(ratio) => format!("  {:>6.2}\n", ratio.median),
            None => "       -\n".to_owned(),
        };
    }
    text + &format!(
        "\nA ratio above 1 means that mauve needs less; < marks those below {FLOOR}.\n\n"
    )
}

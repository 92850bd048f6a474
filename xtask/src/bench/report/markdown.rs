//! The tables.

use std::fmt::Write as _;

use super::super::Depth;
use super::super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::super::figures::Row;
use super::super::goals::{self, FLOOR, is_below_floor};
use super::{Report, contenders_of, figure, remark};

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    heading(report, &mut text);
    c_abi(report, &mut text);
    rust(report, &mut text);
    goals_table(report, &mut text);
    if !report.skipped.is_empty() {
        text += "\n## Left out\n\n";
        for line in &report.skipped {
            let _ = writeln!(text, "- {}", line.replace('\n', " "));
        }
    }
    text
}

fn heading(report: &Report, text: &mut String) {
    let machine = &report.machine;
    let rounds = report.rows.iter().map(Row::rounds).max().unwrap_or(0);
    let quick = if report.depth == Depth::Quick { " --quick" } else { "" };
    let _ = writeln!(
        text,
        "# Side by side\n\n\
         `cargo xtask bench{quick}` at revision `{}` on {}, {} s: mauve (C ABI {}) and libuv {}, on \
         {}, {} cores of {}.\n\n\
         Every contender runs in turns with the others, up to {rounds} rounds, on one core, with \
         its load generator. Figures are nanoseconds of CPU time, user and system, of the measured \
         process per operation: medians. A ratio is what the other needs divided by what mauve \
         needs, the median over rounds; above 1, mauve is better.",
        machine.revision,
        machine.date,
        report.seconds,
        machine.ours,
        machine.libuv,
        machine.kernel,
        machine.cores,
        machine.processor,
    );
}

fn c_abi(report: &Report, text: &mut String) {
    let below = report.compared().filter(|(_, ratio)| is_below_floor(ratio.median)).count();
    let all = report.compared().count();
    let _ = writeln!(
        text,
        "\n## The same C programs, and Node 18, on libuv and on mauve\n\n\
         {} of {all} workloads at {FLOOR} or better. Time is the ratio of the time that has \
         passed; calls are system calls per operation, counted in a run of their own.\n\n\
         | workload | libuv | mauve | ratio | spread | time | calls, libuv | calls, mauve | |\n\
         | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |",
        all - below
    );
    for (row, ratio) in report.compared() {
        let time = row.throughput(CAbi, Libuv);
        let _ = writeln!(
            text,
            "| {} | {} | {} | **{:.2}** | {:.2} to {:.2} | {} | {} | {} | {} |",
            row.name,
            figure(row.cpu(Libuv)),
            figure(row.cpu(CAbi)),
            ratio.median,
            ratio.low,
            ratio.high,
            number(time.map(|time| time.median)),
            number(row.calls(Libuv)),
            number(row.calls(CAbi)),
            remark(&row.name, ratio.median),
        );
    }
}

fn rust(report: &Report, text: &mut String) {
    let who = contenders_of(report.in_rust());
    if who.iter().all(|contender| contender.is_c()) {
        return;
    }
    *text += "\n## From Rust\n\nThe last columns are ratios, as above; system calls per operation \
              are in brackets. The bare ones are not libraries: they show what the machine allows. \
              Where 64 datagrams are sent or received at once, mauve's closures use \
              segmentation offload, at both ends; the others have no way to ask for it.\n\n| workload |";
    for contender in &who {
        let _ = write!(text, " {} |", contender.title());
    }
    *text += " closures to tokio | tasks to tokio | closures to C ABI | tasks to C ABI |\n| --- |";
    *text += &" ---: |".repeat(who.len() + 4);
    *text += "\n";
    for row in report.in_rust() {
        let _ = write!(text, "| {} |", row.name);
        for contender in &who {
            let calls = row.calls(*contender).map(|calls| format!(" ({calls:.2})"));
            let _ = write!(text, " {}{} |", figure(row.cpu(*contender)), calls.unwrap_or_default());
        }
        for (one, other) in [(Closures, Tokio), (Tasks, Tokio), (Closures, CAbi), (Tasks, CAbi)] {
            let _ = write!(text, " {} |", compared(row, one, other));
        }
        *text += "\n";
    }
}

/// A ratio; in bold if it is one to work on.
fn compared(row: &Row, one: Contender, other: Contender) -> String {
    match row.ratio(one, other) {
        None => "-".to_owned(),
        Some(ratio) if is_below_floor(ratio.median) => format!("**{:.2}**", ratio.median),
        Some(ratio) => format!("{:.2}", ratio.median),
    }
}

fn goals_table(report: &Report, text: &mut String) {
    let verdicts = goals::verdicts(&report.rows);
    let reached = verdicts.iter().filter(|verdict| verdict.reached).count();
    let _ = writeln!(
        text,
        "\n## Goals\n\n{reached} of {} reached. Ratios are to libuv through the C ABI where \
         nothing else is said; those of datagrams are Rust's, with offload.\n\n\
         | goal | wanted | measured | |\n| --- | ---: | ---: | --- |",
        verdicts.len()
    );
    for verdict in verdicts {
        let at = verdict.where_.map_or(String::new(), |at| format!(" ({at})"));
        let outcome = if verdict.reached { "reached" } else { "**missed**" };
        let (what, wanted) = (verdict.what, verdict.wanted);
        let _ = writeln!(text, "| {what} | {wanted} | {:.2}{at} | {outcome} |", verdict.measured);
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

//! The report as Markdown tables.

use std::fmt::Write as _;

use super::super::Depth;
use super::super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::super::figures::{Ratio, Row};
use super::super::goals::{self, FLOOR, is_below_floor};
use super::super::workloads::{Cores, Profile};
use super::{Kind, Report, contenders_of, figure, headline, remark};

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    heading(report, &mut text);
    c_abi(report, &mut text);
    two_cores(report, &mut text);
    rust(report, &mut text);
    elapsed(report, &mut text);
    default_profile(report, &mut text);
    method(report, &mut text);
    if !report.skipped.is_empty() {
        text += "\n## Skipped\n\n";
        for line in &report.skipped {
            let _ = writeln!(text, "- {}", line.replace('\n', " "));
        }
    }
    goals_table(report, &mut text);
    text
}

fn heading(report: &Report, text: &mut String) {
    let _ = write!(
        text,
        "# Benchmark report\n\n![{}](chart.svg)\n\nThe same programs run on libuv and on mauve. Figures \
         are nanoseconds of CPU time per operation, or bytes, and medians of many passes. In each pass, libuv's \
         figure is divided by mauve's. The ratio is the median of these quotients, and not the quotient of the two \
         figures beside it: above 1, mauve needs less.\n\n{}",
        headline::title(report),
        headline::table(report)
    );
}

fn method(report: &Report, text: &mut String) {
    let machine = &report.machine;
    let passes = report.rows.iter().map(Row::passes).max().unwrap_or(0);
    let quick = if report.depth == Depth::Quick { " --quick" } else { "" };
    let _ = writeln!(
        text,
        "\n## How it was measured\n\n\
         `cargo xtask bench{quick}` at revision `{}` on {}, in {} s after {} s of building: mauve \
         (C ABI {}) and libuv {}, on {}, {} cores of {}.\n\n\
         The contenders run in turns, up to {passes} passes, pinned to one core together with their \
         load generator. Neither preempts the other (`SCHED_BATCH`). A second table has the client \
         or the senders on a second core. Figures are medians of the CPU time (user and system) of the \
         measured process. Passes are added while a ratio is uncertain by more than 1 %, if time permits.",
        machine.revision,
        machine.date,
        report.seconds,
        report.building,
        machine.ours,
        machine.libuv,
        machine.kernel,
        machine.cores,
        machine.processor,
    );
}

fn c_abi(report: &Report, text: &mut String) {
    let (reaching, all) = reaching_floor(report, Cores::One);
    let _ = writeln!(
        text,
        "\n## The same C programs, and Node 18, on libuv and on mauve\n\n\
         {reaching} of {all} workloads at {FLOOR} or better. *Time* is the ratio of elapsed times. *Calls* \
         are system calls per operation, counted in a separate run.\n\n\
         | workload | libuv | mauve | ratio | spread | time | calls, libuv | calls, mauve | |\n\
         | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |",
    );
    for (row, ratio) in report.compared(Cores::One) {
        let calls = format!("{} | {} | ", number(row.calls(Libuv)), number(row.calls(CAbi)));
        *text += &compared_row(row, ratio, &calls);
    }
}

/// A row of the C programs. `more` are columns before the remark.
fn compared_row(row: &Row, ratio: Ratio, more: &str) -> String {
    let time = row.throughput(CAbi, Libuv);
    format!(
        "| {} | {} | {} | **{:.2}** | {:.2} to {:.2} | {} | {more}{} |\n",
        row.name,
        figure(row.cpu(Libuv)),
        figure(row.cpu(CAbi)),
        ratio.median,
        ratio.low,
        ratio.high,
        number(time.map(|time| time.median)),
        remark(row, ratio.median),
    )
}

/// How many workloads on these cores are not below the floor, and how many there are.
fn reaching_floor(report: &Report, cores: Cores) -> (usize, usize) {
    let all = report.compared(cores).count();
    let below = report.compared(cores).filter(|(_, ratio)| is_below_floor(ratio.median)).count();
    (all - below, all)
}

fn rust(report: &Report, text: &mut String) {
    let contenders = contenders_of(report.in_rust(Profile::Whole));
    if contenders.iter().all(|contender| contender.is_c()) {
        return;
    }
    *text += "\n## From Rust\n\nThe last columns are ratios, as above. System calls per operation \
              are in parentheses. Where 64 datagrams are sent or received at once, mauve's closures use \
              segmentation offload at both ends, which the others do not offer. Over TCP, mauve's \
              tasks own no buffer while they wait (`readable`, `try_read`), as the C programs do; \
              tokio's tasks own one for each connection, since its alternative takes up to one more \
              system call. mauve's tasks answer all datagrams that have arrived with one call \
              (`try_recv_from`, `send_many`), as the closures do; tokio has none for several.\n\n\
              | workload |";
    for contender in &contenders {
        let _ = write!(text, " {} |", contender.title());
    }
    *text += " closures to tokio | tasks to tokio | closures to C ABI | tasks to C ABI |\n| --- |";
    *text += &" ---: |".repeat(contenders.len() + 4);
    *text += "\n";
    let elapsed = |row: &&Row| Kind::of(row) == Kind::Elapsed;
    for row in report.in_rust(Profile::Whole).filter(|row| !elapsed(row)) {
        let _ = write!(text, "| {} |", row.name);
        for contender in &contenders {
            let calls = row.calls(*contender).map(|calls| format!(" ({calls:.2})"));
            let _ = write!(text, " {}{} |", figure(row.cpu(*contender)), calls.unwrap_or_default());
        }
        for (one, other) in [(Closures, Tokio), (Tasks, Tokio), (Closures, CAbi), (Tasks, CAbi)] {
            let _ = write!(text, " {} |", compared(row, one, other));
        }
        *text += "\n";
    }
}

/// Elapsed times, which are in a table of their own.
fn elapsed(report: &Report, text: &mut String) {
    let rows: Vec<&Row> =
        report.in_rust(Profile::Whole).filter(|row| Kind::of(row) == Kind::Elapsed).collect();
    if rows.is_empty() {
        return;
    }
    *text += "\n## Elapsed time, from Rust, on two cores\n\nNanoseconds per message of all workers \
              together. tokio's multi-thread runtime has as many threads.\n\n\
              | workload | mauve, tasks | tokio | tasks to tokio |\n| --- | ---: | ---: | ---: |\n";
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            row.name,
            figure(row.cpu(Tasks)),
            figure(row.cpu(Tokio)),
            compared(row, Tasks, Tokio),
        );
    }
}

fn default_profile(report: &Report, text: &mut String) {
    if report.in_rust(Profile::Default).next().is_none() {
        return;
    }
    *text += "\n## From Rust, in Cargo's default release profile\n\nThe same programs as users build \
              them, unless they change the profile: without link-time optimisation, in 16 units, \
              with unwinding.\n\n\
              | workload | mauve, closures | mauve, tasks | tokio | closures to tokio | tasks to tokio |\n\
              | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for row in report.in_rust(Profile::Default) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.name,
            figure(row.cpu(Closures)),
            figure(row.cpu(Tasks)),
            figure(row.cpu(Tokio)),
            compared(row, Closures, Tokio),
            compared(row, Tasks, Tokio),
        );
    }
}

fn two_cores(report: &Report, text: &mut String) {
    let (reaching, all) = reaching_floor(report, Cores::Two);
    if all == 0 {
        return;
    }
    let _ = writeln!(
        text,
        "\n## On two cores\n\n\
         The same C programs. The measured loop runs on one core, the client or the sending threads \
         on the other. Pool threads run on both. {reaching} of {all} workloads at {FLOOR} or better. In a \
         pummel, senders call `uv_async_send` on one handle without pause, and an operation is one \
         callback.\n\n\
         | workload | libuv | mauve | ratio | spread | time | |\n\
         | --- | ---: | ---: | ---: | --- | ---: | --- |",
    );
    for (row, ratio) in report.compared(Cores::Two) {
        *text += &compared_row(row, ratio, "");
    }
}

/// A ratio, in bold if it is below the floor.
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
    let newest = &report.machine.libuv;
    let _ = writeln!(
        text,
        "\n## Goals\n\n{reached} of {} reached. Ratios are to libuv {newest} through the C ABI unless \
         the row says otherwise. Ratios of datagrams are those of Rust, with segmentation offload. \
\n\n\
         | goal | wanted | measured | |\n\
         | --- | ---: | ---: | --- |",
        verdicts.len()
    );
    for verdict in verdicts {
        let at = verdict.where_.map_or(String::new(), |at| format!(" ({at})"));
        let outcome = match (verdict.reached, verdict.reason) {
            (true, _) => "reached".to_owned(),
            (false, None) => "**missed**".to_owned(),
            (false, Some(reason)) => format!("**missed**: {reason}"),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.2}{at} | {outcome} |",
            verdict.what, verdict.wanted, verdict.measured,
        );
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

//! The eight workloads at the beginning of the report: one for each kind of program.

use super::super::contender::Contender::{CAbi, Libuv};
use super::super::workloads::Cores;
use super::{Report, figure};

/// Programs for which a workload matters, and the workload.
const WORKLOADS: [(&str, &str); 8] = [
    ("Node.js servers", "node: http hello world"),
    ("servers with many connections", "tcp echo 64 B, 64 connections"),
    ("servers with short connections", "tcp connect, echo, close"),
    ("name servers, media", "udp echo, 32 at once"),
    ("everything with time limits", "timers 10,000, restart"),
    ("work on the thread pool", "queue_work, depth 32"),
    ("servers of files, build tools", "cached 4 KiB read, depth 32"),
    ("memory of an idle connection", "bytes of a connection, struct included"),
];

/// A bar of the chart.
#[derive(Debug, PartialEq)]
pub struct Bar {
    pub program: String,
    pub workload: String,
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
}

/// The bars of a run.
pub fn bars(report: &Report) -> Vec<Bar> {
    let bar = |(program, workload): &(&str, &str)| {
        let (_, ratio) = report.compared(Cores::One).find(|(row, _)| row.name == *workload)?;
        Some(Bar {
            program: (*program).to_owned(),
            workload: (*workload).to_owned(),
            ratio: ratio.median,
            low: ratio.low,
            high: ratio.high,
        })
    };
    WORKLOADS.iter().filter_map(bar).collect()
}

/// The title of the chart, which the report has as its text.
pub fn title(report: &Report) -> String {
    let machine = &report.machine;
    format!(
        "Cost of an operation: libuv {} divided by mauve; revision {}, {}",
        machine.libuv, machine.revision, machine.date
    )
}

/// The table of the bars.
pub fn table(report: &Report) -> String {
    let mut text = "| programs | workload | libuv | mauve | ratio | lowest to highest |\n\
                    | --- | --- | ---: | ---: | ---: | --- |\n"
        .to_owned();
    for bar in bars(report) {
        let row =
            report.rows.iter().find(|row| row.name == bar.workload && row.cores == Cores::One);
        let of = |contender| figure(row.and_then(|row| row.cpu(contender)));
        text += &format!(
            "| {} | {} | {} | {} | **{:.2}** | {:.2} to {:.2} |\n",
            bar.program,
            bar.workload,
            of(Libuv),
            of(CAbi),
            bar.ratio,
            bar.low,
            bar.high
        );
    }
    text
}

/// The title and the bars of a report that was written by [`table`].
pub fn parse(text: &str) -> Option<(String, Vec<Bar>)> {
    let title = text.split_once("![")?.1.split_once("](chart.svg)")?.0;
    let lines = text.lines().skip_while(|line| !line.starts_with("| programs")).skip(2);
    let bar = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [program, workload, _, _, ratio, spread] = cells[..] else { return None };
        let (low, high) = spread.split_once(" to ")?;
        Some(Bar {
            program: program.to_owned(),
            workload: workload.to_owned(),
            ratio: ratio.trim_matches('*').parse().ok()?,
            low: low.parse().ok()?,
            high: high.parse().ok()?,
        })
    };
    let bars: Option<Vec<Bar>> = lines.take_while(|line| line.starts_with('|')).map(bar).collect();
    Some((title.to_owned(), bars?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::svg;

    #[test]
    fn the_stored_chart_shows_the_figures_of_the_stored_report() {
        let folder = crate::root().join("docs/bench");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        let (title, bars) = parse(&read("README.md")).expect("the report");
        assert_eq!(bars.len(), WORKLOADS.len());
        assert_eq!(svg::render(&title, &bars), read("chart.svg"), "`cargo xtask bench chart`");
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let mut report = crate::report::tests::report();
        report.rows[0].name = WORKLOADS[1].1.to_owned();
        let text = format!("![{}](chart.svg)\n\n{}\n", title(&report), table(&report));
        let (read, parsed) = parse(&text).expect("a table");
        assert_eq!((read, parsed), (title(&report), bars(&report)));
    }
}

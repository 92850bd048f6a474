//! The chart: a bar for each workload, from 1 to its ratio, on a logarithmic scale.

use std::fmt::Write as _;

use super::super::figures::{Ratio, Row};
use super::super::goals;
use super::super::workloads::Cores;
use super::Report;

const WIDTH: f64 = 960.0;
const NAMES: f64 = 340.0;
const NUMBERS: f64 = 60.0;
const LINE: f64 = 18.0;
const TOP: f64 = 64.0;
const MARKS: &[f64] = &[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// Colours for a light page and for a dark one.
const STYLE: &str = "<style>
  text { font: 12px system-ui, sans-serif; fill: #222 }
  .title { font-size: 15px; font-weight: 600 }
  .small, .mark { fill: #777 }
  .grid { stroke: #ddd } .one { stroke: #555 }
  .better { fill: #9b6bb3 } .worse { fill: #c98a3c }
  .spread { stroke: #3b2247 } .goal { fill: none; stroke: #3b2247 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .small, .mark { fill: #999 }
    .grid { stroke: #333 } .one { stroke: #aaa }
    .spread, .goal { stroke: #e6d5ee }
  }
</style>
";

/// Maps a ratio to a position.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(report: &Report) -> Self {
        let ratios = || report.compared(Cores::One).map(|(_, ratio)| ratio);
        let low = ratios().map(|ratio| ratio.low).fold(0.7, f64::min).max(0.1);
        let high = ratios().map(|ratio| ratio.high).fold(2.0, f64::max);
        Self { low, high }
    }

    fn x(&self, ratio: f64) -> f64 {
        let share =
            (ratio.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        NAMES + share * (WIDTH - NAMES - NUMBERS)
    }
}

pub fn render(report: &Report) -> String {
    let scale = Scale::of(report);
    let rows = report.compared(Cores::One).count() as f64;
    let height = TOP + rows * LINE + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n{STYLE}"
    );
    let machine = &report.machine;
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"12\" y=\"22\">CPU time per operation: libuv {} divided by \
         mauve, same C programs</text>\n\
         <text class=\"small\" x=\"12\" y=\"40\">Right of 1, mauve needs less. Lines: lowest and \
         highest round. Circles: goals. Revision {}, {}.</text>",
        escaped(&machine.libuv),
        escaped(&machine.revision),
        escaped(&machine.date),
    );
    for mark in MARKS.iter().filter(|mark| (scale.low..=scale.high).contains(mark)) {
        let (x, class) = (scale.x(*mark), if *mark == 1.0 { "one" } else { "grid" });
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\"/>\
             <text class=\"mark\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
            height - 26.0,
            height - 10.0,
        );
    }
    for (i, (row, ratio)) in report.compared(Cores::One).enumerate() {
        bar(&mut svg, &scale, TOP + i as f64 * LINE, row, ratio);
    }
    svg += "</svg>\n";
    svg
}

fn bar(svg: &mut String, scale: &Scale, y: f64, row: &Row, ratio: Ratio) {
    let (one, x) = (scale.x(1.0), scale.x(ratio.median));
    let class = if goals::is_below_floor(ratio.median) { "worse" } else { "better" };
    let _ = write!(
        svg,
        "<g><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
         <rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\
         <line class=\"spread\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
        NAMES - 8.0,
        y + 13.0,
        escaped(&row.name),
        one.min(x),
        y + 3.0,
        (x - one).abs().max(1.0),
        LINE - 6.0,
        scale.x(ratio.low),
        scale.x(ratio.high),
        y + LINE / 2.0,
        y + LINE / 2.0,
    );
    if let Some(goal) = goals::for_row(row) {
        let (x, y) = (scale.x(goal), y + LINE / 2.0);
        let _ = write!(svg, "<circle class=\"goal\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.2}</text></g>",
        WIDTH - 8.0,
        y + 13.0,
        ratio.median
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

//! The chart: a bar for each of the eight workloads, from 1 to its ratio, on a logarithmic scale.

use std::fmt::Write as _;

use super::super::goals;
use super::headline::Bar;

const WIDTH: f64 = 860.0;
const NAMES: f64 = 300.0;
const NUMBERS: f64 = 60.0;
const LINE: f64 = 40.0;
const TOP: f64 = 66.0;
const MARKS: &[f64] = &[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// Colours for a light page and for a dark one.
const STYLE: &str = "<style>
  text { font: 13px system-ui, sans-serif; fill: #222 }
  .title { font-size: 15px; font-weight: 600 }
  .small, .mark { font-size: 12px; fill: #666 }
  .grid { stroke: #ddd } .one { stroke: #555 }
  .better { fill: #9b6bb3 } .worse { fill: #c98a3c }
  .spread { stroke: #3b2247 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .small, .mark { fill: #aaa }
    .grid { stroke: #444 } .one { stroke: #aaa }
    .spread { stroke: #e6d5ee }
  }
</style>
";

/// Maps a ratio to a position.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(bars: &[Bar]) -> Self {
        let low = bars.iter().map(|bar| bar.low).fold(0.7, f64::min).max(0.1);
        let high = bars.iter().map(|bar| bar.high).fold(2.0, f64::max);
        Self { low, high }
    }

    fn x(&self, ratio: f64) -> f64 {
        let share =
            (ratio.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        NAMES + share * (WIDTH - NAMES - NUMBERS)
    }
}

/// The chart. The second line of its title begins after a semicolon.
pub fn render(title: &str, bars: &[Bar]) -> String {
    let scale = Scale::of(bars);
    let height = TOP + bars.len() as f64 * LINE + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n{STYLE}"
    );
    let (first, second) = title.split_once("; ").unwrap_or((title, ""));
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"12\" y=\"22\">{}</text>\n\
         <text class=\"small\" x=\"12\" y=\"42\">Right of 1, mauve needs less. Lines: lowest and highest \
         pass. {}</text>",
        escaped(first),
        escaped(second),
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
    for (i, bar) in bars.iter().enumerate() {
        draw(&mut svg, &scale, TOP + i as f64 * LINE, bar);
    }
    svg += "</svg>\n";
    svg
}

fn draw(svg: &mut String, scale: &Scale, y: f64, bar: &Bar) {
    let (one, x) = (scale.x(1.0), scale.x(bar.ratio));
    let class = if goals::is_below_floor(bar.ratio) { "worse" } else { "better" };
    let names = NAMES - 10.0;
    let _ = write!(
        svg,
        "<g><text x=\"{names:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
         <text class=\"small\" x=\"{names:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
         <rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\
         <line class=\"spread\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
        y + 17.0,
        escaped(&bar.program),
        y + 32.0,
        escaped(&bar.workload),
        one.min(x),
        y + 9.0,
        (x - one).abs().max(1.0),
        LINE - 18.0,
        scale.x(bar.low),
        scale.x(bar.high),
        y + LINE / 2.0,
        y + LINE / 2.0,
    );
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.2}</text></g>",
        WIDTH - 8.0,
        y + LINE / 2.0 + 5.0,
        bar.ratio
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

//! Samples: the cost of an operation, as a value and as a line of text.
//!
//! Measured programs print samples as lines, in Rust through [`Sample`] and in C through
//! `benches/c/bench.h`. Load generators and `benches/compare` read them back.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::cpu;

/// The cost of one operation of a workload, averaged over one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The workload.
    pub name: String,
    /// Nanoseconds of CPU time of the measured process. A name that starts with "bytes " makes it
    /// bytes of memory.
    pub cpu: f64,
    /// Nanoseconds of elapsed time.
    pub wall: Option<f64>,
    /// System calls, if they were counted.
    pub calls: Option<f64>,
}

/// Writes a line: the fields separated by tabs, `-` for an unknown one.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        write!(f, "{}\t{:.3}\t{}\t{}", self.name, self.cpu, field(self.wall), field(self.calls))
    }
}

/// Reads a line. Fields missing at its end are unknown.
impl FromStr for Sample {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default().to_owned();
        let mut number = |what| match fields.next() {
            None | Some("-") => Ok(None),
            Some(text) => {
                text.parse().map(Some).map_err(|_| format!("{what} in {line:?}: {text:?}"))
            }
        };
        let cpu = number("CPU time")?.ok_or_else(|| format!("no figure in {line:?}"))?;
        Ok(Self { name, cpu, wall: number("time")?, calls: number("system calls")? })
    }
}

/// Measures this process from the moment it is created.
pub struct Stopwatch {
    cpu: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Starts measuring.
    #[must_use]
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu::own() }
    }

    /// Returns the cost of each of `operations` since the start.
    #[must_use]
    pub fn per(&self, name: impl Into<String>, operations: usize) -> Sample {
        let cpu = cpu::own().saturating_sub(self.cpu);
        Sample::of(name, cpu, self.wall.elapsed(), operations)
    }
}

impl Sample {
    /// Reads the samples among the lines of `text`. Other lines and names in brackets are skipped.
    #[must_use]
    pub fn all(text: &str) -> Vec<Self> {
        let samples = text.lines().filter_map(|line| line.parse().ok());
        samples.filter(|sample: &Self| !sample.name.starts_with('(')).collect()
    }

    /// Divides totals by the number of operations.
    #[must_use]
    pub fn of(name: impl Into<String>, cpu: Duration, wall: Duration, operations: usize) -> Self {
        let each = |time: Duration| time.as_nanos() as f64 / operations.max(1) as f64;
        Self { name: name.into(), cpu: each(cpu), wall: Some(each(wall)), calls: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_line_parses_to_the_same_sample() {
        let sample = Sample { name: "tcp echo, 1".into(), cpu: 12.5, wall: None, calls: Some(3.0) };
        assert_eq!(sample.to_string(), "tcp echo, 1\t12.500\t-\t3.000");
        assert_eq!(sample.to_string().parse(), Ok(sample));
    }

    #[test]
    fn fields_missing_from_a_line_are_unknown() {
        let sample: Sample = "stat\t7".parse().unwrap();
        assert_eq!((sample.cpu, sample.wall, sample.calls), (7.0, None, None));
    }

    #[test]
    fn a_line_without_a_figure_is_an_error() {
        assert!("stat".parse::<Sample>().unwrap_err().contains("no figure"));
        assert!("stat\tmuch".parse::<Sample>().unwrap_err().contains("much"));
    }

    #[test]
    fn lines_that_are_not_samples_are_skipped() {
        let text = "hello\n(warm-up)\t1.0\nstat\t12.5\t-\t3\nold\t2\n";
        let samples = Sample::all(text);
        let stat = Sample { name: "stat".into(), cpu: 12.5, wall: None, calls: Some(3.0) };
        assert_eq!(samples[0], stat);
        assert_eq!((samples.len(), samples[1].name.as_str()), (2, "old"));
    }
}

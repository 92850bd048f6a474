//! One figure: what an operation has cost. Programs print it as a line that others read.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::cpu;

/// What one operation of a workload has cost, on average over one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The workload.
    pub name: String,
    /// Nanoseconds of CPU time of the measured process. What it is otherwise is in the name: bytes
    /// of memory, for one.
    pub cpu: f64,
    /// Nanoseconds that have passed.
    pub wall: Option<f64>,
    /// System calls, if somebody has counted.
    pub calls: Option<f64>,
}

/// As a line: the fields with tabs between them, `-` for what is not known.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        write!(f, "{}\t{:.3}\t{}\t{}", self.name, self.cpu, shown(self.wall), shown(self.calls))
    }
}

/// From a line. What is missing at its end is not known.
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

/// Measures this process from its making on.
pub struct Stopwatch {
    cpu: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Begins to measure.
    #[must_use]
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu::own() }
    }

    /// What each of `operations` has cost since then.
    #[must_use]
    pub fn per(&self, name: impl Into<String>, operations: usize) -> Sample {
        let cpu = cpu::own().saturating_sub(self.cpu);
        Sample::of(name, cpu, self.wall.elapsed(), operations)
    }
}

impl Sample {
    /// What each of `operations` has cost.
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
    fn a_line_reads_as_it_was_written() {
        let sample = Sample { name: "tcp echo, 1".into(), cpu: 12.5, wall: None, calls: Some(3.0) };
        assert_eq!(sample.to_string(), "tcp echo, 1\t12.500\t-\t3.000");
        assert_eq!(sample.to_string().parse(), Ok(sample));
    }

    #[test]
    fn a_short_line_leaves_the_rest_unknown() {
        let sample: Sample = "stat\t7".parse().unwrap();
        assert_eq!((sample.cpu, sample.wall, sample.calls), (7.0, None, None));
    }

    #[test]
    fn a_line_without_a_figure_is_an_error() {
        assert!("stat".parse::<Sample>().unwrap_err().contains("no figure"));
        assert!("stat\tmuch".parse::<Sample>().unwrap_err().contains("much"));
    }
}

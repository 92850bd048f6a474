//! One figure, as measured programs print it: name, CPU time, time, system calls, with tabs between
//! them and `-` for what is not known. `mauve-bench` and `benches/c/bench.h` write these lines.

/// What one operation of a workload has cost in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub name: String,
    /// Nanoseconds of CPU time; where the name says so, bytes.
    pub cpu: f64,
    /// Nanoseconds that have passed.
    pub wall: Option<f64>,
    /// System calls.
    pub calls: Option<f64>,
}

impl Sample {
    /// The samples among the lines of `text`. A name in brackets is not worth reporting.
    pub fn all(text: &str) -> Vec<Self> {
        text.lines().filter_map(Self::parse).filter(|s| !s.name.starts_with('(')).collect()
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let name = fields.next()?.to_owned();
        let mut number = || fields.next().and_then(|text| text.parse().ok());
        Some(Self { name, cpu: number()?, wall: number(), calls: number() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_samples_are_passed_over() {
        let text = "hello\n(warm-up)\t1.0\nstat\t12.5\t-\t3\nold\t2\n";
        let samples = Sample::all(text);
        let stat = Sample { name: "stat".into(), cpu: 12.5, wall: None, calls: Some(3.0) };
        assert_eq!(samples[0], stat);
        assert_eq!((samples.len(), samples[1].name.as_str()), (2, "old"));
    }
}

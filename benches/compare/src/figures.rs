//! The runs of one workload, and the statistics over them.

use std::collections::BTreeMap;

use mauve_bench::Sample;

use super::contender::Contender;
use super::workloads::{Cores, Profile};

/// One workload on a number of cores, with every run of it.
pub struct Row {
    pub name: String,
    pub cores: Cores,
    /// How its Rust contenders were built.
    pub profile: Profile,
    /// The runs of each contender, with their passes.
    runs: BTreeMap<Contender, Vec<(usize, Sample)>>,
    calls: BTreeMap<Contender, f64>,
}

/// How much better one is than another: the other's figure divided by this one's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Row {
    pub fn new(name: String, cores: Cores) -> Self {
        let profile = Profile::Whole;
        Self { name, cores, profile, runs: BTreeMap::new(), calls: BTreeMap::new() }
    }

    /// The same row, for contenders that are built in this profile.
    pub fn in_profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Adds a run. Passes are added in ascending order.
    pub fn add(&mut self, contender: Contender, pass: usize, sample: Sample) {
        self.runs.entry(contender).or_default().push((pass, sample));
    }

    /// Sets the system calls per operation, counted in a separate run.
    pub fn set_calls(&mut self, contender: Contender, calls: f64) {
        self.calls.insert(contender, calls);
    }

    pub fn calls(&self, contender: Contender) -> Option<f64> {
        self.calls.get(&contender).copied()
    }

    /// Nanoseconds of CPU time per operation, or bytes.
    pub fn cpu(&self, contender: Contender) -> Option<f64> {
        median(self.runs.get(&contender)?.iter().map(|(_, run)| run.cpu))
    }

    /// The ratio of CPU times, over runs of the same pass.
    pub fn ratio(&self, one: Contender, other: Contender) -> Option<Ratio> {
        self.ratio_of(one, other, |run| Some(run.cpu))
    }

    /// The ratio of elapsed times.
    pub fn throughput(&self, one: Contender, other: Contender) -> Option<Ratio> {
        self.ratio_of(one, other, |run| run.wall)
    }

    fn ratio_of(
        &self,
        one: Contender,
        other: Contender,
        figure: impl Fn(&Sample) -> Option<f64>,
    ) -> Option<Ratio> {
        let ratios = self.ratios(one, other, figure)?;
        Some(Ratio {
            median: median(ratios.iter().copied())?,
            low: ratios.iter().copied().reduce(f64::min)?,
            high: ratios.iter().copied().reduce(f64::max)?,
        })
    }

    /// The ratios of runs of the same pass.
    fn ratios(
        &self,
        one: Contender,
        other: Contender,
        figure: impl Fn(&Sample) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        let others = self.runs.get(&other)?;
        let pairs = self.runs.get(&one)?.iter().filter_map(|(pass, one)| {
            let other = others.iter().find(|(others, _)| others == pass)?;
            Some((one, &other.1))
        });
        pairs.map(|(one, other)| Some(figure(other)? / figure(one)?.max(0.001))).collect()
    }

    /// The largest uncertainty of the ratios between our library and any other, and between Rust
    /// and tokio. Without our library, of the ratios to the last contender.
    pub fn uncertainty(&self) -> f64 {
        let has = |wanted| self.contenders().find(|one| *one == wanted);
        let base = has(Contender::CAbi).or_else(|| self.contenders().last());
        let to_base =
            base.into_iter().flat_map(|base| self.contenders().map(move |one| (base, one)));
        let rust = [Contender::Closures, Contender::Tasks].map(|one| (one, Contender::Tokio));
        let pairs = to_base.chain(rust).filter(|(one, other)| one != other);
        let ratios = pairs.filter_map(|(one, other)| self.ratios(one, other, |run| Some(run.cpu)));
        ratios.filter_map(uncertainty_of_median).fold(0.0, f64::max)
    }

    /// The smallest number of passes of any contender.
    pub fn passes(&self) -> usize {
        self.runs.values().map(Vec::len).min().unwrap_or(0)
    }

    pub fn contenders(&self) -> impl Iterator<Item = Contender> + '_ {
        self.runs.keys().copied()
    }

    /// The name, with the number of cores where it is not one.
    pub fn title(&self) -> String {
        match (self.cores, self.profile) {
            (_, Profile::Default) => format!("{}, default profile", self.name),
            (Cores::One, _) => self.name.clone(),
            (Cores::Two, _) => format!("{}, two cores", self.name),
        }
    }
}

/// Half of the width of the 95 % confidence interval of the median, divided by the median. The interval
/// ends at two of the sorted values, whatever their distribution is.
fn uncertainty_of_median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (count, middle) = (values.len() as f64, median(values.iter().copied())?);
    let reach = 0.98 * count.sqrt();
    // Fewer than six values have no such interval. All of them are in this one.
    let low = (count / 2.0 - reach).floor().max(0.0) as usize;
    Some((values[values.len() - 1 - low] - values[low]) / 2.0 / middle)
}

/// The middle value; the mean of the middle two for an even count.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 0 => Some(f64::midpoint(values[middle - 1], values[middle])),
        _ => Some(values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Contender::{CAbi, Libuv};

    fn row(runs: &[(f64, f64)]) -> Row {
        let mut row = Row::new("name".into(), Cores::One);
        let sample = |cpu| Sample { name: "name".into(), cpu, wall: None, calls: None };
        for (pass, (theirs, ours)) in runs.iter().enumerate() {
            row.add(Libuv, pass, sample(*theirs));
            row.add(CAbi, pass, sample(*ours));
        }
        row
    }

    #[test]
    fn the_uncertainty_shrinks_with_the_number_of_passes() {
        let steady = row(&[(10.0, 5.0), (20.0, 10.0), (8.0, 4.0)]);
        assert_eq!(steady.uncertainty(), 0.0);
        let few = row(&[(10.0, 5.0), (10.0, 4.0), (10.0, 5.0)]);
        assert!((few.uncertainty() - 0.125).abs() < 1e-9);
        let values = |count: u32| (0..count).map(|i| 1.0 + f64::from(i % 100) / 1000.0).collect();
        let uncertainty = |count| uncertainty_of_median(values(count)).unwrap();
        assert!(uncertainty(10_000) < 0.002 && uncertainty(100) < 0.02);
    }

    #[test]
    fn a_ratio_compares_runs_of_the_same_pass() {
        // The machine was twice as slow in the second pass, for both.
        let ratio = row(&[(10.0, 5.0), (20.0, 10.0), (10.0, 4.0)]).ratio(CAbi, Libuv);
        assert_eq!(ratio, Some(Ratio { median: 2.0, low: 2.0, high: 2.5 }));
    }

    #[test]
    fn a_missing_figure_gives_no_ratio() {
        assert_eq!(row(&[]).ratio(CAbi, Libuv), None);
        assert_eq!(row(&[(1.0, 1.0)]).throughput(CAbi, Libuv), None);
        assert_eq!(row(&[(1.0, 1.0)]).ratio(Contender::Tokio, Libuv), None);
    }

    #[test]
    fn the_median_of_an_even_count_is_the_mean_of_the_middle_two() {
        assert_eq!(median([4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
    }
}

//! The CPUs of the host, and the available parallelism.

use std::time::Duration;

use super::cgroup::Cgroup;
use crate::Result;
use crate::thread::Thread;

/// Information about a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CpuInfo {
    /// The model name, or "unknown".
    pub model: String,
    /// The frequency in MHz; 0 if it is unknown.
    pub speed: u32,
    /// The time that the CPU has spent in each state since boot.
    pub times: CpuTimes,
}

/// The time that a CPU has spent in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CpuTimes {
    /// In user mode.
    pub user: Duration,
    /// In user mode with low priority (nice).
    pub nice: Duration,
    /// In kernel mode.
    pub system: Duration,
    /// Idle.
    pub idle: Duration,
    /// Serving interrupts.
    pub interrupts: Duration,
}

/// The number of threads that can run in parallel: the CPUs in the affinity mask of the calling
/// thread, limited by the quota of the control group.
#[doc(alias = "uv_available_parallelism")]
pub fn available_parallelism() -> usize {
    let allowed = Thread::current().affinity().map_or_else(|_| online(), |set| set.len());
    let quota = Cgroup::of_this_process("cpu").and_then(|group| group.cpu_limit());
    allowed.min(quota.unwrap_or(usize::MAX)).max(1)
}

/// The number of online CPUs.
fn online() -> usize {
    // SAFETY: `sysconf` takes and returns a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1)
}

/// All online CPUs.
#[doc(alias = "uv_cpu_info")]
pub fn list() -> Result<Vec<CpuInfo>> {
    let stat = super::read("/proc/stat")?;
    // Some containers do not have this file.
    let descriptions = super::read("/proc/cpuinfo").unwrap_or_default();
    let cpus = times(&stat, ticks_per_second()).map(|(number, times)| {
        let (model, speed) = describe(&descriptions, number);
        let model = model.unwrap_or("unknown").to_owned();
        CpuInfo { model, speed: current_speed(number).or(speed).unwrap_or(0), times }
    });
    Ok(cpus.collect())
}

/// The current frequency of a CPU in MHz.
fn current_speed(number: usize) -> Option<u32> {
    let path = format!("/sys/devices/system/cpu/cpu{number}/cpufreq/scaling_cur_freq");
    let kilohertz: u32 = super::read(path).ok()?.trim().parse().ok()?;
    Some(kilohertz / 1000)
}

/// Parses lines of the form `cpu<number> <user> <nice> <system> <idle> <iowait> <irq> ...`, in
/// ticks. The line without a number is the sum.
fn times(stat: &str, ticks_per_second: u64) -> impl Iterator<Item = (usize, CpuTimes)> {
    let time = move |ticks: u64| Duration::from_millis(ticks * 1000 / ticks_per_second);
    stat.lines().filter_map(move |line| {
        let mut fields = line.strip_prefix("cpu")?.split(' ');
        let number = fields.next()?.parse().ok()?;
        let mut next =
            || fields.next().and_then(|field| field.parse().ok()).map_or(Duration::ZERO, time);
        let (user, nice, system, idle, _iowait) = (next(), next(), next(), next(), next());
        Some((number, CpuTimes { user, nice, system, idle, interrupts: next() }))
    })
}

fn ticks_per_second() -> u64 {
    // SAFETY: `sysconf` takes and returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100)
}

/// The model and frequency of a CPU. Each CPU has a paragraph with lines `name : value`.
fn describe(descriptions: &str, number: usize) -> (Option<&str>, Option<u32>) {
    let number = number.to_string();
    let paragraph =
        descriptions.split("\n\n").find(|text| value(text, "processor") == Some(&number));
    let Some(paragraph) = paragraph else { return (None, None) };
    // The field depends on the architecture: x86, MIPS, POWER.
    let model = ["model name", "cpu model", "cpu"].iter().find_map(|name| value(paragraph, name));
    let speed = value(paragraph, "cpu MHz").and_then(|speed| speed.parse::<f64>().ok());
    (model, speed.map(|speed| speed as u32))
}

fn value<'a>(paragraph: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = paragraph.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  3 0 0 0 0 0\ncpu0 100 2 3 4 5 6 7\ncpu2 1\nintr 9\n";

    #[test]
    fn a_line_with_a_number_is_a_cpu() {
        let found: Vec<_> = times(STAT, 100).collect();
        let ms = Duration::from_millis;
        let first = CpuTimes {
            user: ms(1000),
            nice: ms(20),
            system: ms(30),
            idle: ms(40),
            interrupts: ms(60),
        };
        assert_eq!(found, [(0, first), (2, CpuTimes { user: ms(10), ..CpuTimes::default() })]);
    }

    #[test]
    fn a_cpu_is_described_by_the_paragraph_with_its_number() {
        let text = "processor\t: 0\nmodel name\t: A\n\nprocessor\t: 1\nmodel name\t: B: c\ncpu MHz : 2596.148\n";
        assert_eq!(describe(text, 1), (Some("B: c"), Some(2596)));
        assert_eq!(describe(text, 0), (Some("A"), None));
        assert_eq!(describe(text, 7), (None, None));
    }

    #[test]
    fn this_host_has_a_cpu() {
        assert!(!list().unwrap().is_empty());
        assert!((1..=online()).contains(&available_parallelism()));
    }
}

//! The CPUs of the machine, and how many of them are ours to use.

use std::time::Duration;

use super::cgroup::Group;
use crate::Result;
use crate::thread::Thread;

/// One CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// What the manufacturer calls it, or "unknown".
    pub model: String,
    /// The frequency in MHz; 0 if the system does not tell.
    pub speed: u32,
    /// What it has spent its time on since the machine was started.
    pub times: Times,
}

/// What a CPU has spent its time on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// In programs.
    pub user: Duration,
    /// In programs that had themselves put back.
    pub nice: Duration,
    /// In the kernel.
    pub system: Duration,
    /// On nothing.
    pub idle: Duration,
    /// On interrupts.
    pub interrupts: Duration,
}

/// How many threads can make use of the machine at the same time: the CPUs that the calling
/// thread may run on, or fewer if its control group is given less time.
#[doc(alias = "uv_available_parallelism")]
pub fn available_parallelism() -> usize {
    let allowed = Thread::current().affinity().map_or_else(|_| online(), |set| set.len());
    let paid_for = Group::of_this_process("cpu").and_then(|group| group.cpu_limit());
    allowed.min(paid_for.unwrap_or(usize::MAX)).max(1)
}

fn online() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1)
}

/// All CPUs that are switched on.
#[doc(alias = "uv_cpu_info")]
pub fn all() -> Result<Vec<Cpu>> {
    let stat = super::read("/proc/stat")?;
    // Not every container shows this one.
    let descriptions = super::read("/proc/cpuinfo").unwrap_or_default();
    let cpus = times(&stat, ticks_per_second()).map(|(number, times)| {
        let (model, speed) = describe(&descriptions, number);
        let model = model.unwrap_or("unknown").to_owned();
        Cpu { model, speed: current_speed(number).or(speed).unwrap_or(0), times }
    });
    Ok(cpus.collect())
}

/// The frequency that a CPU runs at now, in MHz.
fn current_speed(number: usize) -> Option<u32> {
    let path = format!("/sys/devices/system/cpu/cpu{number}/cpufreq/scaling_cur_freq");
    let kilohertz: u32 = super::read(path).ok()?.trim().parse().ok()?;
    Some(kilohertz / 1000)
}

/// Lines are `cpu<number> <user> <nice> <system> <idle> <iowait> <irq> ...`, in ticks; the one
/// without a number is the sum.
fn times(stat: &str, ticks_per_second: u64) -> impl Iterator<Item = (usize, Times)> {
    let time = move |ticks: u64| Duration::from_millis(ticks * 1000 / ticks_per_second);
    stat.lines().filter_map(move |line| {
        let mut words = line.strip_prefix("cpu")?.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut next =
            || words.next().and_then(|word| word.parse().ok()).map_or(Duration::ZERO, time);
        let (user, nice, system, idle, _iowait) = (next(), next(), next(), next(), next());
        Some((number, Times { user, nice, system, idle, interrupts: next() }))
    })
}

fn ticks_per_second() -> u64 {
    // SAFETY: asks for a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100)
}

/// Model and frequency of a CPU. There is a paragraph for each, of lines `name : value`.
fn describe(descriptions: &str, number: usize) -> (Option<&str>, Option<u32>) {
    let number = number.to_string();
    let paragraph =
        descriptions.split("\n\n").find(|text| value(text, "processor") == Some(&number));
    let Some(paragraph) = paragraph else { return (None, None) };
    // What it is called depends on the architecture: x86, MIPS, POWER.
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
    fn each_line_with_a_number_is_a_cpu() {
        let found: Vec<_> = times(STAT, 100).collect();
        let ms = Duration::from_millis;
        let first = Times {
            user: ms(1000),
            nice: ms(20),
            system: ms(30),
            idle: ms(40),
            interrupts: ms(60),
        };
        assert_eq!(found, [(0, first), (2, Times { user: ms(10), ..Times::default() })]);
    }

    #[test]
    fn a_cpu_is_described_by_the_paragraph_with_its_number() {
        let text = "processor\t: 0\nmodel name\t: A\n\nprocessor\t: 1\nmodel name\t: B: c\ncpu MHz : 2596.148\n";
        assert_eq!(describe(text, 1), (Some("B: c"), Some(2596)));
        assert_eq!(describe(text, 0), (Some("A"), None));
        assert_eq!(describe(text, 7), (None, None));
    }

    #[test]
    fn this_machine_has_a_cpu() {
        assert!(!all().unwrap().is_empty());
        assert!((1..=online()).contains(&available_parallelism()));
    }
}

//! What control groups allow this process: how much memory, and how much of the CPUs.
//!
//! A group is limited by its own settings and by those of all groups around it, so every figure
//! is the smallest on the way up to the root. Inside a container the path in `/proc/self/cgroup`
//! may be that of the host and not exist here; the way up leads to the container's own root.
//!
//! Both versions have the same files in spirit. Where version 2 says `max`, version 1 has a
//! number that is larger than any machine.

use std::path::{Path, PathBuf};

use super::memory::Limit;

/// The group of this process, as far as one controller is concerned.
pub(super) struct Group {
    version: Version,
    /// Where the hierarchy is mounted.
    root: PathBuf,
    /// The directory of the group.
    path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Version 1 counts in pages, so "unlimited" is the largest number of whole pages.
const UNLIMITED: u64 = i64::MAX as u64 & !0xffff;

impl Group {
    /// The group that `controller` ("memory", "cpu") sees this process in.
    pub fn of_this_process(controller: &str) -> Option<Self> {
        let membership = super::read("/proc/self/cgroup").ok()?;
        Self::find(controller, &membership, Path::new("/sys/fs/cgroup"))
    }

    /// A line is `number:controllers:path`. A controller that version 1 has is not in version 2,
    /// whose line has number 0 and names none.
    fn find(controller: &str, membership: &str, mount: &Path) -> Option<Self> {
        let lines = membership.lines().filter_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            Some((controllers, path.trim_start_matches('/')))
        });
        let mut two = None;
        for (controllers, path) in lines {
            if controllers.is_empty() {
                let root = mount.to_owned();
                two = Some(Self { version: Version::Two, path: root.join(path), root });
            } else if controllers.split(',').any(|name| name == controller) {
                // Mounted under the names of all its controllers, often with links for each.
                let roots = [controllers, controller].map(|name| mount.join(name));
                let root = roots.into_iter().find(|root| root.exists())?;
                return Some(Self { version: Version::One, path: root.join(path), root });
            }
        }
        two
    }

    /// This group and those around it, outermost last.
    fn levels(&self) -> impl Iterator<Item = &Path> {
        self.path.ancestors().take_while(|path| path.starts_with(&self.root))
    }

    /// The smallest limit of the memory.
    pub fn memory_limit(&self) -> Limit {
        let limits = self.levels().map(|level| self.memory_limit_at(level));
        limits.fold(Limit::Unknown, Limit::tighter)
    }

    /// How much may still be used before the first limit is reached, if there is any.
    pub fn memory_left(&self) -> Option<u64> {
        let used = match self.version {
            Version::One => "memory.usage_in_bytes",
            Version::Two => "memory.current",
        };
        let left = |level: &Path| match self.memory_limit_at(level) {
            Limit::Bytes(limit) => Some(limit.saturating_sub(number(level, used).unwrap_or(0))),
            _ => None,
        };
        self.levels().filter_map(left).min()
    }

    fn memory_limit_at(&self, level: &Path) -> Limit {
        let files = match self.version {
            Version::One => ["memory.limit_in_bytes", "memory.soft_limit_in_bytes"],
            Version::Two => ["memory.max", "memory.high"],
        };
        let limit = |file| match super::read(level.join(file)) {
            Err(_) => Limit::Unknown,
            Ok(text) if text.trim() == "max" => Limit::None,
            Ok(text) => match text.trim().parse() {
                Ok(bytes) if bytes < UNLIMITED => Limit::Bytes(bytes),
                Ok(_) => Limit::None,
                Err(_) => Limit::Unknown,
            },
        };
        limit(files[0]).tighter(limit(files[1]))
    }

    /// How many CPUs' worth of time the group may use, in whole CPUs and at least one.
    pub fn cpu_limit(&self) -> Option<usize> {
        self.levels().filter_map(|level| self.cpu_limit_at(level)).min()
    }

    fn cpu_limit_at(&self, level: &Path) -> Option<usize> {
        let (quota, period) = match self.version {
            Version::One => {
                (number(level, "cpu.cfs_quota_us")?, number(level, "cpu.cfs_period_us")?)
            }
            Version::Two => {
                let text = super::read(level.join("cpu.max")).ok()?;
                let mut numbers = text.split_whitespace().map(str::parse);
                // "max" is no number, and no limit.
                (numbers.next()?.ok()?, numbers.next()?.ok()?)
            }
        };
        usize::try_from(quota.checked_div(period)?).ok().map(|cpus| cpus.max(1))
    }
}

/// A file that holds one number; `-1`, for none, is not one.
fn number(level: &Path, file: &str) -> Option<u64> {
    super::read(level.join(file)).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up hierarchy in a directory of its own.
    struct Mount(PathBuf);

    impl Mount {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("mauve-{name}-{}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Self(root)
        }

        fn group(&self, controller: &str, membership: &str) -> Group {
            Group::find(controller, membership, &self.0).unwrap()
        }
    }

    impl Drop for Mount {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_tightest_limit_on_the_way_up_counts() {
        let mount = Mount::new(
            "way-up",
            &[
                ("a/memory.max", "1000\n"),
                ("a/memory.current", "900\n"),
                ("a/b/memory.max", "max\n"),
                ("a/b/memory.high", "1500\n"),
                ("a/b/memory.current", "100\n"),
            ],
        );
        let group = mount.group("memory", "0::/a/b\n");
        assert_eq!(group.memory_limit(), Limit::Bytes(1000));
        assert_eq!(group.memory_left(), Some(100));
    }

    #[test]
    fn no_limit_is_something_else_than_no_knowledge() {
        let mount = Mount::new("none", &[("memory.max", "max\n"), ("other", "")]);
        assert_eq!(mount.group("memory", "0::/\n").memory_limit(), Limit::None);
        let unknown = Mount::new("unknown", &[("other", "")]);
        assert_eq!(unknown.group("memory", "0::/\n").memory_limit(), Limit::Unknown);
    }

    #[test]
    fn version_one_is_found_by_its_controller_and_counts_when_the_path_is_the_hosts() {
        let membership = "4:memory:/host/path\n3:cpu,cpuacct:/x\n0::/\n";
        let mount = Mount::new(
            "version-one",
            &[
                ("memory/memory.limit_in_bytes", "600\n"),
                ("memory/memory.soft_limit_in_bytes", "9223372036854771712\n"),
                ("memory/memory.usage_in_bytes", "700\n"),
                ("cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n"),
                ("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"),
                ("cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
                ("cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ],
        );
        let memory = mount.group("memory", membership);
        assert_eq!(memory.memory_limit(), Limit::Bytes(600));
        assert_eq!(memory.memory_left(), Some(0));
        assert_eq!(mount.group("cpu", membership).cpu_limit(), Some(2));
    }

    #[test]
    fn a_fraction_of_a_cpu_is_one_cpu() {
        let mount = Mount::new("cpu", &[("a/cpu.max", "50000 100000\n"), ("cpu.max", "max 1\n")]);
        assert_eq!(mount.group("cpu", "0::/a\n").cpu_limit(), Some(1));
        assert_eq!(mount.group("cpu", "0::/\n").cpu_limit(), None);
    }
}

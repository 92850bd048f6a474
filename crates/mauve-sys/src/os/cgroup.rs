//! The memory and CPU limits of this process's control group, for cgroup v1 and v2.
//!
//! The limits of a group and of all its ancestors apply, so each result is the minimum over the
//! hierarchy. In a container the path in `/proc/self/cgroup` may be that of the host and not exist;
//! its ancestors then lead to the root of the container.
//!
//! Both versions have files for the same limits. Where version 2 has `max`, version 1 has a number
//! that no machine reaches.

use std::path::{Path, PathBuf};

use super::linux::read;
use crate::os::memory::MemoryLimit;

/// The control group of this process for one controller.
pub(super) struct Cgroup {
    version: Version,
    /// The mount point of the hierarchy.
    root: PathBuf,
    /// The directory of the group.
    path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Version 1 rounds to whole pages, so "unlimited" is slightly less than `i64::MAX`.
const UNLIMITED: u64 = i64::MAX as u64 & !0xffff;

impl Cgroup {
    /// The group of this process for `controller` ("memory" or "cpu").
    pub fn of_this_process(controller: &str) -> Option<Self> {
        let membership = read("/proc/self/cgroup").ok()?;
        Self::find(controller, &membership, Path::new("/sys/fs/cgroup"))
    }

    /// Parses lines of the form `id:controllers:path`. The line of version 2 has no controllers. A
    /// controller of version 1 is not available in version 2.
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
                // The directory has the names of all controllers, often with a link for each.
                let roots = [controllers, controller].map(|name| mount.join(name));
                let root = roots.into_iter().find(|root| root.exists())?;
                return Some(Self { version: Version::One, path: root.join(path), root });
            }
        }
        two
    }

    /// The directories of this group and of its ancestors, the root last.
    fn levels(&self) -> impl Iterator<Item = &Path> {
        self.path.ancestors().take_while(|path| path.starts_with(&self.root))
    }

    /// The memory limit.
    pub fn memory_limit(&self) -> MemoryLimit {
        let limits = self.levels().map(|level| self.memory_limit_at(level));
        limits.fold(MemoryLimit::Unknown, MemoryLimit::min)
    }

    /// How much memory can be allocated before a limit is reached; `None` without a limit.
    pub fn available_memory(&self) -> Option<u64> {
        let used = match self.version {
            Version::One => "memory.usage_in_bytes",
            Version::Two => "memory.current",
        };
        let available = |level: &Path| match self.memory_limit_at(level) {
            MemoryLimit::Bytes(limit) => {
                Some(limit.saturating_sub(number(level, used).unwrap_or(0)))
            }
            _ => None,
        };
        self.levels().filter_map(available).min()
    }

    fn memory_limit_at(&self, level: &Path) -> MemoryLimit {
        let files = match self.version {
            Version::One => ["memory.limit_in_bytes", "memory.soft_limit_in_bytes"],
            Version::Two => ["memory.max", "memory.high"],
        };
        let limit = |file| match read(level.join(file)) {
            Err(_) => MemoryLimit::Unknown,
            Ok(text) if text.trim() == "max" => MemoryLimit::None,
            Ok(text) => match text.trim().parse() {
                Ok(bytes) if bytes < UNLIMITED => MemoryLimit::Bytes(bytes),
                Ok(_) => MemoryLimit::None,
                Err(_) => MemoryLimit::Unknown,
            },
        };
        limit(files[0]).min(limit(files[1]))
    }

    /// The CPU quota in whole CPUs, at least one; `None` without a quota.
    pub fn cpu_limit(&self) -> Option<usize> {
        self.levels().filter_map(|level| self.cpu_limit_at(level)).min()
    }

    fn cpu_limit_at(&self, level: &Path) -> Option<usize> {
        let (quota, period) = match self.version {
            Version::One => {
                (number(level, "cpu.cfs_quota_us")?, number(level, "cpu.cfs_period_us")?)
            }
            Version::Two => {
                let text = read(level.join("cpu.max")).ok()?;
                let mut numbers = text.split_whitespace().map(str::parse);
                // "max" is not a number and means no limit.
                (numbers.next()?.ok()?, numbers.next()?.ok()?)
            }
        };
        usize::try_from(quota.checked_div(period)?).ok().map(|cpus| cpus.max(1))
    }
}

/// Reads a file with one unsigned number. `None` for `-1`, which means no limit.
fn number(level: &Path, file: &str) -> Option<u64> {
    read(level.join(file)).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fake hierarchy in a temporary directory.
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

        fn group(&self, controller: &str, membership: &str) -> Cgroup {
            Cgroup::find(controller, membership, &self.0).unwrap()
        }
    }

    impl Drop for Mount {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_smallest_limit_of_the_hierarchy_applies() {
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
        assert_eq!(group.memory_limit(), MemoryLimit::Bytes(1000));
        assert_eq!(group.available_memory(), Some(100));
    }

    #[test]
    fn no_limit_differs_from_an_unknown_limit() {
        let mount = Mount::new("none", &[("memory.max", "max\n"), ("other", "")]);
        assert_eq!(mount.group("memory", "0::/\n").memory_limit(), MemoryLimit::None);
        let unknown = Mount::new("unknown", &[("other", "")]);
        assert_eq!(unknown.group("memory", "0::/\n").memory_limit(), MemoryLimit::Unknown);
    }

    #[test]
    fn limits_of_version_one_are_found_if_the_path_is_that_of_the_host() {
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
        assert_eq!(memory.memory_limit(), MemoryLimit::Bytes(600));
        assert_eq!(memory.available_memory(), Some(0));
        assert_eq!(mount.group("cpu", membership).cpu_limit(), Some(2));
    }

    #[test]
    fn a_quota_below_one_cpu_counts_as_one_cpu() {
        let mount = Mount::new("cpu", &[("a/cpu.max", "50000 100000\n"), ("cpu.max", "max 1\n")]);
        assert_eq!(mount.group("cpu", "0::/a\n").cpu_limit(), Some(1));
        assert_eq!(mount.group("cpu", "0::/\n").cpu_limit(), None);
    }
}

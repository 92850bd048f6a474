//! Installs what the tests need.
//!
//! * [`tool`]: the tools, how each is detected and installed, and the tests that need it.
//! * [`installer`]: the package managers.
//!
//! A tool that is missing and cannot be installed is no error: the steps and tests that need it are
//! skipped and counted.

mod installer;
mod tool;

use std::ffi::OsString;
use std::path::PathBuf;

use installer::Installer;
pub use tool::{OLDEST as OLDEST_COMPILER, Tool};

/// What an ordinary run installs at most, with the C compiler that cargo needs before it, in MB.
pub const LIMIT: u32 = 400;

/// What may be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Install {
    Nothing,
    /// What fits into [`LIMIT`].
    UpToLimit,
    Everything,
}

/// The tools that are available.
pub struct Setup {
    missing: Vec<(Tool, String)>,
}

impl Setup {
    /// Detects the tools, prints the commands that install the missing ones, and runs them.
    pub fn prepare(tools: &[Tool], install: Install) -> Self {
        let is_missing = |tool: &&Tool| !tool.is_available();
        let missing: Vec<Tool> = tools.iter().filter(is_missing).copied().collect();
        if missing.is_empty() {
            println!("all {} tools are available", tools.len());
            return Self { missing: Vec::new() };
        }
        let (chosen, large) = match install {
            // Who has a C++ compiler did not install the one for C for this run.
            Install::UpToLimit if Tool::CPlusPlus.is_available() => within(LIMIT, &missing),
            Install::UpToLimit => within(LIMIT - Tool::C.size(), &missing),
            Install::Nothing | Install::Everything => (missing, Vec::new()),
        };
        if !chosen.is_empty() {
            println!("missing: {}", with_size(&chosen));
        }
        if !large.is_empty() {
            println!("missing and large: {}; `--release-checks` installs it", with_size(&large));
        }
        let installers = installer::plan(&chosen);
        let reason = match (install, installers.is_empty()) {
            (Install::Nothing, _) => "--no-install",
            (_, true) => "there is no command that installs it here",
            (_, false) => {
                install_with(&installers);
                "it could not be installed"
            }
        };
        let chosen = chosen.into_iter().map(|tool| (tool, reason.to_owned()));
        let large = large.into_iter().map(|tool| (tool, "it is large".to_owned()));
        let missing = chosen.chain(large).filter(|(tool, _)| !tool.is_available());
        let setup = Self { missing: missing.collect() };
        for (tool, why) in &setup.missing {
            println!("without {} ({why}): `{}` installs it", tool.name(), tool.command());
        }
        setup
    }

    pub fn has(&self, tool: Tool) -> bool {
        !self.missing.iter().any(|(missing, _)| *missing == tool)
    }

    /// Why a step that needs these tools cannot run.
    pub fn lacks(&self, needs: &[Tool]) -> Option<String> {
        let missing: Vec<String> =
            needs.iter().filter(|tool| !self.has(**tool)).map(|tool| tool.describe()).collect();
        (!missing.is_empty()).then(|| format!("needs {}", missing.join(" and ")))
    }

    /// The modules of tests that cannot run, such as `needs_libuv::`, and why.
    pub fn skipped_tests(&self) -> Vec<(&'static str, String)> {
        let mut skipped: Vec<(&str, String)> = Vec::new();
        for (tool, _) in &self.missing {
            for module in tool.tests() {
                if !skipped.iter().any(|(known, _)| known == module) {
                    skipped.push((module, format!("needs {}", tool.describe())));
                }
            }
        }
        skipped
    }
}

/// Divides tools into those that fit into this many MB, and the others. The first ones matter most.
fn within(limit: u32, tools: &[Tool]) -> (Vec<Tool>, Vec<Tool>) {
    let mut size = 0;
    tools.iter().partition(|tool| {
        let fits = size + tool.size() <= limit;
        size += if fits { tool.size() } else { 0 };
        fits
    })
}

/// The names of tools, and their size.
fn with_size(tools: &[Tool]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name()).collect();
    let size: u32 = tools.iter().map(|tool| tool.size()).sum();
    format!("{} (about {size} MB)", names.join(", "))
}

/// Announces the commands, and runs them. A command that fails is reported, and the next one runs.
fn install_with(installers: &[Installer]) {
    println!("to install it, this runs the following commands (--no-install declines):");
    for installer in installers {
        println!("  {installer}");
    }
    for installer in installers {
        println!("\n$ {installer}");
        if let Err(why) = installer.run() {
            println!("{why}");
        }
    }
}

/// The folder of the tools that are installed for this repository alone.
pub fn folder() -> PathBuf {
    crate::target().join("tools")
}

/// The search path of commands that use these tools.
pub fn path() -> OsString {
    let own = tool::own_folders();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let all = own.into_iter().chain(std::env::split_paths(&inherited));
    std::env::join_paths(all).unwrap_or(inherited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_tool_its_steps_and_tests_are_skipped_with_the_command_that_installs_it() {
        let setup = Setup { missing: vec![(Tool::Libuv, "--no-install".to_owned())] };
        assert!(!setup.has(Tool::Libuv) && setup.has(Tool::Valgrind));
        assert_eq!(setup.lacks(&[Tool::Valgrind]), None);
        let why = setup.lacks(&[Tool::Valgrind, Tool::Libuv]).expect("a reason");
        assert!(why.contains("apt-get install libuv1-dev"), "{why}");
        assert_eq!(setup.skipped_tests()[0].0, "needs_libuv::");
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_smaller_tools_after_it_are_not() {
        let tools = [Tool::Libuv, Tool::Wine, Tool::Strace];
        let size = Tool::Libuv.size() + Tool::Strace.size();
        assert_eq!(within(size, &tools), (vec![Tool::Libuv, Tool::Strace], vec![Tool::Wine]));
        assert_eq!(within(size - 1, &tools).0, [Tool::Libuv]);
    }

    #[test]
    fn a_minimal_system_gets_libuv_and_node_within_the_limit() {
        // Its package manager has lists: the C compiler came from there.
        let tools: Vec<Tool> = Tool::all().filter(|tool| *tool != Tool::PackageLists).collect();
        let (chosen, large) = within(LIMIT, &tools);
        assert!([Tool::C, Tool::Libuv, Tool::Node].iter().all(|tool| chosen.contains(tool)));
        assert!(large.contains(&Tool::Wine), "{large:?}");
    }
}

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

/// The tools that are available.
pub struct Setup {
    missing: Vec<(Tool, String)>,
}

impl Setup {
    /// Detects the tools, prints the commands that install the missing ones, and runs them. With
    /// `install` false, it only detects.
    pub fn prepare(tools: &[Tool], install: bool) -> Self {
        let is_missing = |tool: &&Tool| !tool.is_available();
        let missing: Vec<Tool> = tools.iter().filter(is_missing).copied().collect();
        if missing.is_empty() {
            println!("all {} tools are available", tools.len());
            return Self { missing: Vec::new() };
        }
        let names: Vec<&str> = missing.iter().map(|tool| tool.name()).collect();
        let size: u32 = missing.iter().map(|tool| tool.size()).sum();
        println!("missing: {} (about {size} MB)", names.join(", "));
        let installers = installer::plan(&missing);
        let reason = match (install, installers.is_empty()) {
            (false, _) => "--no-install",
            (true, true) => "there is no command that installs it here",
            (true, false) => {
                install_with(&installers);
                "it could not be installed"
            }
        };
        let still = missing.into_iter().filter(|tool| !tool.is_available());
        let setup = Self { missing: still.map(|tool| (tool, reason.to_owned())).collect() };
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
    fn a_module_of_tests_is_skipped_once() {
        let missing = [Tool::Libuv, Tool::CPlusPlus].map(|tool| (tool, String::new()));
        let modules = Setup { missing: missing.to_vec() }.skipped_tests();
        let libuv = modules.iter().filter(|(module, _)| *module == "needs_libuv::");
        assert_eq!(libuv.count(), 1);
    }
}

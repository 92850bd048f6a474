//! The commands that install tools: apt-get, cargo, rustup, and a script for Node.
//!
//! All of them run without questions. `apt-get` needs root: it runs as it is, or with `sudo` if that
//! needs no password.

use std::fmt;
use std::process::{Command, Stdio};

use super::tool::{self, Source, Tool};
use crate::files::is_root;

/// One command that installs tools.
pub struct Installer {
    program: &'static str,
    arguments: Vec<String>,
    /// Whether it needs root.
    is_privileged: bool,
    /// Packages that are installed one by one if the command fails: one unknown name fails it.
    packages: Vec<&'static str>,
}

/// The commands that install these tools, in order.
pub fn plan(tools: &[Tool]) -> Vec<Installer> {
    let mut packages: Vec<&'static str> = Vec::new();
    let mut others = Vec::new();
    let mut uses_apt = false;
    if tools.contains(&Tool::Node) {
        if !tool::can_download_node() {
            packages.push(tool::PIP);
            uses_apt = true;
        }
        let script = crate::root().join("xtask/setup/node.sh").display().to_string();
        let folder = super::folder().display().to_string();
        others.push(Installer::new("sh", &[&*script, &*folder]));
    }
    for tool in tools {
        match tool.source() {
            Source::Apt(names) => packages.extend(names),
            Source::AptLists | Source::Node => {}
            Source::Packages => {
                let root = crate::root().display().to_string();
                let quietly = ["--ignore-scripts", "--no-audit", "--no-fund"];
                let mut arguments = vec!["ci", "--prefix", &*root];
                arguments.extend(quietly);
                others.push(Installer::new("npm", &arguments));
            }
            Source::Cargo(name) => {
                // Without optimisation: compiling it takes most of the time.
                others.push(Installer::new("cargo", &["install", name, "--locked", "--debug"]));
            }
            Source::Component(name) => {
                others.push(Installer::new("rustup", &["component", "add", name]));
            }
            Source::Toolchain(version) => {
                let minimal = ["--profile", "minimal", "--no-self-update"];
                let mut arguments = vec!["toolchain", "install", version];
                arguments.extend(minimal);
                others.push(Installer::new("rustup", &arguments));
            }
            Source::Nowhere(_) => continue,
        }
        uses_apt |= matches!(tool.source(), Source::Apt(_) | Source::AptLists);
    }
    let mut plan = Vec::new();
    if uses_apt {
        plan.push(Installer {
            is_privileged: true,
            ..Installer::new("apt-get", &["-q", "update"])
        });
    }
    if !packages.is_empty() {
        plan.push(Installer::apt(packages));
    }
    plan.extend(others);
    plan
}

impl Installer {
    fn new(program: &'static str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { program, arguments, is_privileged: false, packages: Vec::new() }
    }

    fn apt(packages: Vec<&'static str>) -> Self {
        let mut arguments = vec!["-q", "install", "--yes", "--no-install-recommends"];
        arguments.extend(&packages);
        Self { is_privileged: true, packages, ..Self::new("apt-get", &arguments) }
    }

    /// Runs the command, with its output on the terminal.
    pub fn run(&self) -> Result<(), String> {
        let result = self.run_once();
        if result.is_ok() || self.packages.len() < 2 || !may_be_root() {
            return result;
        }
        println!("installing the packages one by one");
        for package in &self.packages {
            if let Err(why) = Self::apt(vec![package]).run_once() {
                println!("{package}: {why}");
            }
        }
        Ok(())
    }

    fn run_once(&self) -> Result<(), String> {
        if self.is_privileged && !may_be_root() {
            let program = self.program;
            return Err(format!("{program} needs root, and sudo needs a password or is missing"));
        }
        let [program, arguments @ ..] = &*self.words() else { unreachable!("it has a program") };
        let mut command = Command::new(program);
        // Otherwise rustup would change the toolchain that cargo has selected for this program.
        command.args(arguments).stdin(Stdio::null()).env_remove("RUSTUP_TOOLCHAIN");
        // A tool must not be built with the settings of this workspace.
        command.current_dir(std::env::temp_dir()).env_remove("CARGO_TARGET_DIR");
        // An npm that an earlier command has installed.
        command.env("PATH", super::path());
        let status = command.status().map_err(|e| format!("{program}: {e}"))?;
        if status.success() { Ok(()) } else { Err(format!("{program}: {status}")) }
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        if self.is_privileged {
            if !is_root() {
                words.extend(["sudo", "-n"].map(str::to_owned));
            }
            // Packages that configure themselves ask no questions.
            words.extend(["env", "DEBIAN_FRONTEND=noninteractive"].map(str::to_owned));
        }
        words.push(self.program.to_owned());
        words.extend(self.arguments.iter().cloned());
        words
    }
}

/// The command as it is run.
impl fmt::Display for Installer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

fn may_be_root() -> bool {
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"]).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    is_root() || sudo.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_packages_are_installed_with_one_command_after_an_update() {
        let plan = plan(&[Tool::CMake, Tool::Deny, Tool::Libuv]);
        let shown: Vec<String> = plan.iter().map(Installer::to_string).collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert!(shown[0].ends_with("apt-get -q update"), "{shown:?}");
        assert!(shown[1].ends_with(" cmake libuv1-dev"), "{shown:?}");
        assert!(shown[2].starts_with("cargo install cargo-deny"), "{shown:?}");
    }

    #[test]
    fn node_is_installed_before_what_its_npm_installs() {
        let programs: Vec<_> =
            plan(&[Tool::Biome, Tool::Node]).iter().map(|it| it.program).collect();
        assert!(programs.ends_with(&["sh", "npm"]), "{programs:?}");
    }

    #[test]
    fn what_is_part_of_the_system_is_not_installed() {
        assert!(plan(&[Tool::Dpkg]).is_empty());
    }
}

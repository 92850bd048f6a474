//! uvloop, asyncio's loop on libuv, with the machine's own Python if it is the one it is built for.
//!
//! Each Python file of `xtask/programs/uvloop` is one check; its first line is the title.

use std::process::Command;

use super::Program;
use super::check::Check;
use super::packages::any;
use super::script::scripts;
use super::stage::Stage;

/// What Debian's package is built for.
const PYTHON: &str = "Python 3.11.";
const INTERPRETER: &str = "/usr/bin/python3";

pub const PROGRAM: Program = Program { name: "uvloop", packages: &[any("python3-uvloop")], checks };

fn checks(stage: &Stage) -> Result<Vec<Check>, String> {
    let version = Command::new(INTERPRETER).arg("--version").output();
    let version = version.map_err(|e| format!("{INTERPRETER}: {e}"))?.stdout;
    let version = String::from_utf8_lossy(&version);
    if !version.starts_with(PYTHON) {
        return Err(format!("{INTERPRETER} is {}, not {PYTHON}*", version.trim()));
    }
    let sources = stage.sources("uvloop");
    let modules = stage.root().join("usr/lib/python3/dist-packages");
    let modules = format!("{}:{}", modules.display(), sources.join("lib").display());
    let mut checks = Vec::new();
    for script in scripts(&sources, "py")? {
        let folder = stage.scratch(&format!("uvloop-{}", script.name()))?;
        let mut command = stage.command(INTERPRETER);
        command.arg("-B").arg(script.path).env("PYTHONPATH", &modules);
        checks.push(Check::script(script.title, command, folder));
    }
    Ok(checks)
}

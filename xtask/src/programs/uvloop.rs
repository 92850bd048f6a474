//! uvloop, an asyncio event loop on libuv, with the system's Python if the version matches.
//!
//! Each Python file of `xtask/programs/uvloop` is one check. Its first line is the title.

use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::Program;
use super::check::Check;
use super::environment::Environment;
use super::packages::any;
use super::script::scripts;
use super::traced;

/// The Python version that Debian's package is built for.
const PYTHON: &str = "Python 3.11.";
const INTERPRETER: &str = "/usr/bin/python3";

pub const PROGRAM: Program = Program { name: "uvloop", packages: &[any("python3-uvloop")], checks };

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let version = Command::new(INTERPRETER).arg("--version").output();
    let version = version.map_err(|e| format!("{INTERPRETER}: {e}"))?.stdout;
    let version = String::from_utf8_lossy(&version);
    if !version.starts_with(PYTHON) {
        return Err(format!("{INTERPRETER} is {}, not {PYTHON}*", version.trim()));
    }
    let sources = env.sources("uvloop");
    let modules = env.root().join("usr/lib/python3/dist-packages");
    let modules = format!("{}:{}", modules.display(), sources.join("lib").display());
    let mut checks = Vec::new();
    for script in scripts(&sources, "py")? {
        let folder = env.scratch(&format!("uvloop-{}", script.name()))?;
        let mut command = env.command(INTERPRETER);
        command.arg("-B").arg(script.path).env("PYTHONPATH", &modules);
        checks.push(Check::script(script.title, command, folder));
    }
    let mut command = env.command(INTERPRETER);
    command.arg("-B").arg(sources.join("streams.py")).env("PYTHONPATH", &modules);
    let folder = env.scratch("uvloop-trace")?;
    checks.push(traced::check("streams", command, folder, (CallbackKind::Read, 100)));
    Ok(checks)
}

//! Neovim, without a terminal and in one.
//!
//! Each Lua file of `xtask/programs/neovim` is one check, made inside the editor; its first line is
//! the title. For the check in a terminal, a shell script makes one and types.

use std::path::Path;
use std::process::Command;

use super::Program;
use super::check::Check;
use super::packages::any;
use super::script::scripts;
use super::stage::Stage;

pub const PROGRAM: Program = Program {
    name: "neovim",
    packages: &[
        any("neovim"),
        any("neovim-runtime"),
        any("libluajit-5.1-2"),
        any("libluajit-5.1-common"),
        any("libmsgpackc2"),
        any("libtermkey1"),
        any("libtree-sitter0"),
        any("libunibilium4"),
        any("libvterm0"),
        any("lua-luv"),
    ],
    checks,
};

fn checks(stage: &Stage) -> Result<Vec<Check>, String> {
    let sources = stage.sources("neovim");
    let mut checks = Vec::new();
    for script in scripts(&sources, "lua")? {
        let folder = stage.scratch(&format!("neovim-{}", script.name()))?;
        let mut command = editor(stage, &stage.root().join("usr/bin/nvim"), &folder);
        command.args(["--clean", "--headless", "-n", "-c"]).arg(load(&script.path));
        checks.push(Check::script(script.title, command, folder));
    }
    let folder = stage.scratch("neovim-terminal")?;
    let typist = sources.join("terminal/typist.sh");
    let inside = sources.join("terminal/inside.lua");
    let mut command = editor(stage, Path::new("sh"), &folder);
    command.arg(typist).arg(stage.root().join("usr/bin/nvim")).arg(load(&inside));
    checks.push(Check::script("in a terminal, with keys typed", command, folder));
    Ok(checks)
}

/// The command that loads `script`, with what the scripts share in Lua's search path.
fn load(script: &Path) -> String {
    let folder = script.parent().unwrap_or(script).display();
    let shared = format!("{folder}/lib/?.lua;{folder}/../lib/?.lua");
    format!("lua package.path = [[{shared}]]; dofile([[{}]])", script.display())
}

/// `program`, or what starts it, with nothing of the user's own settings read or written.
fn editor(stage: &Stage, program: &Path, folder: &Path) -> Command {
    let mut command = stage.command(program);
    for (variable, name) in [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("HOME", "home"),
    ] {
        command.env(variable, folder.join(name));
    }
    command.env("VIMRUNTIME", stage.root().join("usr/share/nvim/runtime")).env("TERM", "xterm");
    command.env_remove("NVIM").env_remove("NVIM_LISTEN_ADDRESS");
    command
}

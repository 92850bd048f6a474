//! Debian's Node 18, which is linked with `libuv.so.1` (the one from nodejs.org brings its own).
//!
//! Each file of `xtask/programs/node` is one check; its first line is the title.

use std::ffi::OsStr;
use std::fs;

use super::Program;
use super::check::Check;
use super::packages::{Package, any};
use super::stage::Stage;

pub const PROGRAM: Program = Program {
    name: "node",
    packages: &[
        Package { name: "nodejs", version: "18." },
        any("libnode108"),
        any("libc-ares2"),
        any("libicu72"),
        any("libnghttp2-14"),
        any("node-cjs-module-lexer"),
        any("node-undici"),
        any("node-acorn"),
        any("node-busboy"),
        any("node-xtend"),
    ],
    checks,
};

fn checks(stage: &Stage) -> Result<Vec<Check>, String> {
    let sources = stage.sources("node");
    let entries = fs::read_dir(&sources).map_err(|e| format!("{}: {e}", sources.display()))?;
    let mut scripts: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension() == Some(OsStr::new("js")))
        .collect();
    scripts.sort();
    let check = |script: std::path::PathBuf| {
        let text = fs::read_to_string(&script).map_err(|e| format!("{}: {e}", script.display()))?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("// ").to_owned();
        let name = script.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = stage.scratch(&format!("node-{name}"))?;
        // Node reads parts of its own library from /usr/share/nodejs.
        let mut command = stage.command_over_share(stage.root().join("usr/bin/node"));
        command.arg(script);
        Ok(Check::script(title, command, folder))
    };
    scripts.into_iter().map(check).collect()
}

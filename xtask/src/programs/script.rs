//! Scripts of `xtask/programs/NAME`, which run inside the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::check::Check;
use super::environment::Environment;
use crate::files;

/// A script. Its first line is a comment with the title of the check.
struct Script {
    path: PathBuf,
    title: String,
}

impl Script {
    /// The script at `path`.
    fn read(path: PathBuf) -> Result<Self, String> {
        let text = files::read(&path)?;
        let first = text.lines().next().unwrap_or_default();
        let title = first.trim_start_matches(['/', '-', '#', ' ']).to_owned();
        Ok(Self { path, title })
    }

    /// The file's name without its extension.
    fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// A check for each script. `command` returns the command for one, which runs in an empty folder: its second
/// argument.
pub fn checks(
    env: &Environment,
    program: &str,
    scripts: Vec<PathBuf>,
    command: impl Fn(&Path, &Path) -> Command,
) -> Result<Vec<Check>, String> {
    let check = |path: PathBuf| {
        let script = Script::read(path)?;
        let folder = env.scratch(&format!("{program}-{}", script.name()))?;
        let command = command(&script.path, &folder);
        Ok(Check::script(script.title, command, folder))
    };
    scripts.into_iter().map(check).collect()
}

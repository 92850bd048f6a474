//! Scripts of `xtask/programs/NAME`, which run inside the program.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A script. Its first line is a comment with the title of the check.
pub struct Script {
    pub path: PathBuf,
    pub title: String,
}

impl Script {
    /// The script at `path`.
    pub fn read(path: PathBuf) -> Result<Self, String> {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let first = text.lines().next().unwrap_or_default();
        let title = first.trim_start_matches(['/', '-', '#', ' ']).to_owned();
        Ok(Self { path, title })
    }

    /// The file's name without its extension.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The scripts in `folder`, sorted by name. Shared modules are in subfolders.
pub fn scripts(folder: &Path, extension: &str) -> Result<Vec<Script>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
        .collect();
    paths.sort();
    paths.into_iter().map(Script::read).collect()
}

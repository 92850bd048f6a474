//! The layout of installed files below a prefix.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Built, fill, succeed, version, write};
use crate::root;

/// The file that the links `libuv.so.1` and `libuv.so` refer to.
pub const SHARED: &str = "libuv.so.1.0.0";

/// The headers, below `include/`.
const HEADERS: &[&str] = &["uv.h", "uv/errno.h", "uv/unix.h", "uv/version.h"];

/// The target paths, `DESTDIR/PREFIX/...`. Only the prefix is written to files.
pub struct Layout {
    pub destdir: PathBuf,
    pub prefix: PathBuf,
    /// The folder of libraries, relative to the prefix: `lib`, or the distribution's name for it.
    pub libdir: PathBuf,
}

impl Layout {
    /// The path of a file below the prefix, including the destdir.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        let prefix = self.prefix.strip_prefix("/").unwrap_or(&self.prefix);
        match self.destdir.as_os_str().is_empty() {
            true => self.prefix.join(path),
            false => self.destdir.join(prefix).join(path),
        }
    }

    fn library(&self, name: &str) -> PathBuf {
        self.path(self.libdir.join(name))
    }

    /// Installs the files that programs need to run. Returns the size of the stripped library.
    pub fn lay_out_runtime(&self, built: &Built) -> Result<u64, String> {
        let shared = self.library(SHARED);
        replace(&built.shared, &shared)?;
        strip("--strip-unneeded", &shared)?;
        link(SHARED, &self.library("libuv.so.1"))?;
        let size = fs::metadata(&shared).map_err(|e| format!("{}: {e}", shared.display()))?;
        Ok(size.len())
    }

    /// Installs the files that are needed to build programs.
    pub fn lay_out_development(&self, built: &Built) -> Result<(), String> {
        link("libuv.so.1", &self.library("libuv.so"))?;
        let archive = self.library("libuv.a");
        replace(&built.archive, &archive)?;
        strip("--strip-debug", &archive)?;
        // The name in libuv's own build.
        link("libuv.a", &self.library("libuv_a.a"))?;
        for header in HEADERS {
            let from = root().join("crates/mauve-uv/include").join(header);
            replace(&from, &self.path("include").join(header))?;
        }
        let version = version::of_interface()?;
        let major = version.split('.').next().expect("a version has a major number");
        let (prefix, libdir) = (self.prefix.display(), self.prefix.join(&self.libdir));
        let up = vec![".."; self.libdir.components().count()].join("/");
        let values = [
            ("PREFIX", &*prefix.to_string()),
            ("LIBDIR", &*libdir.display().to_string()),
            ("VERSION", &version),
            ("MAJOR", major),
            ("UP", &up),
        ];
        for (name, folder) in [
            ("libuv.pc", "pkgconfig"),
            ("libuv-static.pc", "pkgconfig"),
            ("libuvConfig.cmake", "cmake/libuv"),
            ("libuvConfigVersion.cmake", "cmake/libuv"),
        ] {
            let text = fill(&format!("{name}.in"), &values)?;
            write(&self.library(folder).join(name), text)?;
        }
        Ok(())
    }
}

/// The folders of completions below the prefix.
pub const BASH: &str = "share/bash-completion/completions";
pub const ZSH: &str = "share/zsh/site-functions";
pub const FISH: &str = "share/fish/vendor_completions.d";

impl Layout {
    /// Installs the command, its manual pages, and its completions. `zsh` is the folder of zsh's.
    pub fn lay_out_command(&self, command: &Path, zsh: &str) -> Result<(), String> {
        let installed = self.path("bin/mauve");
        replace(command, &installed)?;
        strip("--strip-all", &installed)?;
        let pages = self.path("share/man/man1");
        succeed(Command::new(command).arg("man").arg(&pages))?;
        for (shell, folder, name) in
            [("bash", BASH, "mauve"), ("zsh", zsh, "_mauve"), ("fish", FISH, "mauve.fish")]
        {
            let script = succeed(Command::new(command).args(["completions", shell]))?;
            write(&self.path(folder).join(name), script)?;
        }
        // Compressed, as distributions have them, and without the time of compression.
        let mut compress = Command::new("sh");
        compress.args(["-c", "gzip -9nf *.1"]).current_dir(&pages);
        succeed(&mut compress).map(drop)
    }
}

/// Copies a file. Replaces an existing file, which may be in use.
fn replace(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // Copying over the file would change it under programs that have it mapped.
    let _ = fs::remove_file(to);
    fs::copy(from, to).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))?;
    Ok(())
}

fn link(to: &str, at: &Path) -> Result<(), String> {
    let _ = fs::remove_file(at);
    let folder = at.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    symlink(to, at).map_err(|e| format!("{}: {e}", at.display()))
}

fn strip(how: &str, file: &Path) -> Result<(), String> {
    succeed(Command::new("strip").arg(how).arg(file)).map(drop)
}

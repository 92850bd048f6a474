//! The layout of installed files below a prefix.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Built, fill, version};
use crate::build::quietly;
use crate::files::{self, copy, link, write};
use crate::root;

/// The file that the links `libuv.so.1` and `libuv.so` refer to.
pub const SHARED: &str = "libuv.so.1.0.0";

/// The headers, below `include/`.
pub(super) const HEADERS: &[&str] = &["uv.h", "uv/errno.h", "uv/unix.h", "uv/version.h"];

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
        copy(&built.shared, &shared)?;
        strip("--strip-unneeded", &shared)?;
        link(SHARED, &self.library("libuv.so.1"))?;
        Ok(files::at(&shared, shared.metadata())?.len())
    }

    /// Installs the files that are needed to build programs.
    pub fn lay_out_development(&self, built: &Built) -> Result<(), String> {
        link("libuv.so.1", &self.library("libuv.so"))?;
        let archive = self.library("libuv.a");
        copy(&built.archive, &archive)?;
        strip("--strip-debug", &archive)?;
        // The name in libuv's own build.
        link("libuv.a", &self.library("libuv_a.a"))?;
        for header in HEADERS {
            let from = root().join("crates/mauve-uv/include").join(header);
            copy(&from, &self.path("include").join(header))?;
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
        copy(command, &installed)?;
        strip("--strip-all", &installed)?;
        let pages = self.path("share/man");
        quietly(Command::new(command).arg("man").arg(&pages))?;
        for (shell, folder, name) in
            [("bash", BASH, "mauve"), ("zsh", zsh, "_mauve"), ("fish", FISH, "mauve.fish")]
        {
            let script = quietly(Command::new(command).args(["completions", shell]))?;
            write(&self.path(folder).join(name), script)?;
        }
        // Compressed, as distributions have them, and without the time of compression.
        let mut compress = Command::new("sh");
        compress.args(["-c", "gzip -9nf man*/*.[17]"]).current_dir(&pages);
        quietly(&mut compress).map(drop)
    }
}

impl Layout {
    /// Installs the debug symbols of the library, where debuggers find them by the id of the build.
    pub fn lay_out_symbols(&self, built: &Built) -> Result<(), String> {
        let id = build_id(&built.shared)?;
        let (folder, name) = id.split_at(2);
        let file = self.path("lib/debug/.build-id").join(folder).join(format!("{name}.debug"));
        files::create(file.parent().expect("a file is in a folder"))?;
        let mut copy = Command::new("objcopy");
        copy.args(["--only-keep-debug", "--compress-debug-sections"]).arg(&built.shared);
        quietly(copy.arg(&file)).map(drop)
    }
}

/// The id of a build, which its debug symbols have, too.
pub fn build_id(file: &Path) -> Result<String, String> {
    let notes = quietly(Command::new("readelf").arg("-n").arg(file).env("LC_ALL", "C"))?;
    let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: "));
    id.map(str::to_owned).ok_or_else(|| format!("{} has no build id", file.display()))
}

fn strip(how: &str, file: &Path) -> Result<(), String> {
    quietly(Command::new("strip").arg(how).arg(file)).map(drop)
}

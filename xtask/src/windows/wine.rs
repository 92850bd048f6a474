//! wine, which runs programs for Windows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::quietly;
use crate::{files, root, target};

/// Debian's packages.
pub const PACKAGES: &[&str] = &["gcc-mingw-w64-x86-64-posix", "wine64"];

pub const COMPILER: &str = "x86_64-w64-mingw32-gcc";
pub const PROGRAM: &str = "/usr/lib/wine/wine64";
const SERVER: &str = "/usr/lib/wine/wineserver64";

pub fn is_installed() -> bool {
    let compiler = Command::new(COMPILER).arg("--version").output();
    Path::new(PROGRAM).exists() && compiler.is_ok_and(|output| output.status.success())
}

/// A folder with wine's settings and its drive `C:`, apart from the user's. Its server ends with this value.
pub struct Wine {
    folder: PathBuf,
}

impl Wine {
    /// Compiles the DLL that wine 8 lacks. wine makes the rest when it starts the first program.
    pub fn prepare() -> Result<Self, String> {
        let folder = target().join("wine");
        files::at(&folder, fs::create_dir_all(&folder))?;
        let source = root().join("xtask/windows/bcryptprimitives.c");
        let mut compiler = Command::new(COMPILER);
        compiler.args(["-shared", "-O2", "-s", "-o"]).arg(folder.join("bcryptprimitives.dll"));
        quietly(compiler.arg(source).arg("-ladvapi32"))?;
        Ok(Self { folder })
    }

    /// Adds a folder in which a program finds its DLLs.
    pub fn add_path(&self, command: &mut Command, folder: &Path) {
        command.env("WINEPATH", format!("Z:{};Z:{}", folder.display(), self.folder.display()));
    }

    /// Sets what programs that start wine need.
    pub fn set_environment(&self, command: &mut Command) {
        command.env("WINEPREFIX", self.folder.join("prefix"));
        // Drive `Z:` is the root of this system.
        command.env("WINEPATH", format!("Z:{}", self.folder.display()));
        // No messages, no window of a debugger after a crash.
        command.env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "winedbg.exe=d");
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir()).env_remove("DISPLAY");
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        let mut server = Command::new(SERVER);
        self.set_environment(&mut server);
        // Fails if no server runs.
        let _ = server.arg("-k").status();
    }
}

//! The environment of programs: the library, the root of unpacked packages, temporary folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{dist, files, root, target};

/// A folder in the target folder, and the library.
#[derive(Clone)]
pub struct Environment {
    pub folder: PathBuf,
    library_folder: PathBuf,
    /// Whether the packages are installed in `/`, instead of unpacked in the folder.
    pub is_installed: bool,
}

impl Environment {
    /// Builds mauve and installs it as `libuv.so.1`. With `LIBUV_DIR`, installs the library of that
    /// folder instead, to compare.
    pub fn build() -> Result<Self, String> {
        let env = Self::on(Self::library_folder())?;
        let library = match std::env::var_os("LIBUV_DIR") {
            Some(folder) => PathBuf::from(folder).join("libuv.so.1"),
            None => dist::build()?.shared,
        };
        files::copy(&library, &env.library())?;
        Ok(env)
    }

    /// The folder of the library in the target folder.
    pub fn library_folder() -> PathBuf {
        target().join("programs/lib")
    }

    /// An environment with the library of `library_folder`.
    pub fn on(library_folder: PathBuf) -> Result<Self, String> {
        let folder = target().join("programs");
        let env = Self { folder, library_folder, is_installed: false };
        files::create(&env.library_folder)?;
        files::create(env.root())?;
        Ok(env)
    }

    /// An environment in a root with installed packages. `name` distinguishes the files of two runs.
    pub fn installed(name: &str, library_folder: PathBuf) -> Self {
        Self { folder: target().join("programs").join(name), library_folder, is_installed: true }
    }

    /// The root of the packages: what `dpkg -x` unpacks into, or `/`.
    pub fn root(&self) -> PathBuf {
        if self.is_installed { PathBuf::from("/") } else { self.folder.join("root") }
    }

    /// The path of the library that programs must map.
    pub fn library(&self) -> PathBuf {
        let library = self.library_folder.join("libuv.so.1");
        if self.is_installed { library.canonicalize().unwrap_or(library) } else { library }
    }

    /// Builds the object that redirects programs with libuv linked in. Returns its path.
    pub fn redirect(&self) -> Result<PathBuf, String> {
        dist::build_redirect()
    }

    /// The folder of the packages' libraries, for this architecture.
    pub fn libraries(&self) -> PathBuf {
        self.root().join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))
    }

    /// The repository's scripts for the program `name`.
    pub fn sources(&self, name: &str) -> PathBuf {
        root().join("xtask/programs").join(name)
    }

    /// An empty folder.
    pub fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        files::create_empty(self.folder.join("scratch").join(name.replace(['/', ' '], "-")))
    }

    /// A command with mauve first in the search path, then the packages' libraries. The variable
    /// `LIBUV` is the path of the library that it must map.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env("LIBUV", self.library());
        command.env("LD_LIBRARY_PATH", self.search_path()).env_remove("UV_THREADPOOL_SIZE");
        command
    }

    /// The same, with the packages' files mounted over these folders of `/usr`, for programs with
    /// compiled-in paths. The program runs in its own mount namespace.
    pub fn command_over(&self, folders: &str, program: impl AsRef<Path>) -> Command {
        if self.is_installed {
            return self.command(program);
        }
        let script = r#"
            for folder in $1; do
                mount -t overlay -o "ro,lowerdir=$2/$folder:/usr/$folder" overlay "/usr/$folder" ||
                    exit
            done
            export LD_LIBRARY_PATH="$3"
            shift 3
            exec "$@""#;
        let mut command = Command::new("unshare");
        // Without root, a user namespace (-r) permits mounting.
        command
            .arg(if files::is_root() { "-m" } else { "-rm" })
            .args(["sh", "-c", script, "sh", folders]);
        command.arg(self.root().join("usr")).arg(self.search_path()).arg(program.as_ref());
        command.env("LIBUV", self.library()).env_remove("UV_THREADPOOL_SIZE");
        command
    }

    fn search_path(&self) -> String {
        format!("{}:{}", self.library_folder.display(), self.libraries().display())
    }
}

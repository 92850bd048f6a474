//! The environment of programs: the library, the root of unpacked packages, temporary folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{dist, root, target};

/// The folder `programs` in the target folder.
#[derive(Clone)]
pub struct Environment {
    pub folder: PathBuf,
    library_folder: PathBuf,
}

impl Environment {
    /// Builds mauve and installs it as `libuv.so.1`. With `LIBUV_DIR`, installs the library of that
    /// folder instead, to compare.
    pub fn build() -> Result<Self, String> {
        let env = Self::on(target().join("programs/lib"))?;
        // Copying over the file would change it under programs that have it mapped.
        let _ = fs::remove_file(env.library());
        let library = match std::env::var_os("LIBUV_DIR") {
            Some(folder) => PathBuf::from(folder).join("libuv.so.1"),
            None => our_library()?,
        };
        fs::copy(&library, env.library()).map_err(|e| format!("{}: {e}", library.display()))?;
        Ok(env)
    }

    /// An environment with the library of `library_folder`.
    pub fn on(library_folder: PathBuf) -> Result<Self, String> {
        let env = Self { folder: target().join("programs"), library_folder };
        for folder in [env.library_folder.clone(), env.root()] {
            fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        Ok(env)
    }

    /// The folder that `dpkg -x` unpacks into.
    pub fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// The path of the library that programs must map.
    pub fn library(&self) -> PathBuf {
        self.library_folder.join("libuv.so.1")
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
        let folder = self.folder.join("scratch").join(name.replace(['/', ' '], "-"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(folder)
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
        command.arg(if is_root() { "-m" } else { "-rm" }).args(["sh", "-c", script, "sh", folders]);
        command.arg(self.root().join("usr")).arg(self.search_path()).arg(program.as_ref());
        command.env("LIBUV", self.library()).env_remove("UV_THREADPOOL_SIZE");
        command
    }

    fn search_path(&self) -> String {
        format!("{}:{}", self.library_folder.display(), self.libraries().display())
    }
}

/// Builds the release library.
fn our_library() -> Result<PathBuf, String> {
    dist::build().map(|built| built.shared)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

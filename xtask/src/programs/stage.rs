//! Where programs run: our library, the root that packages are unpacked into, scratch folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{dist, root, target};

/// The folder `programs` in the target folder.
#[derive(Clone)]
pub struct Stage {
    pub folder: PathBuf,
    library_folder: PathBuf,
}

impl Stage {
    /// Puts our library on the stage by the name that programs ask for. With `LIBUV_DIR`, the
    /// library of that folder: to see whether it passes a check that ours does not.
    pub fn build() -> Result<Self, String> {
        let stage = Self::on(target().join("programs/lib"))?;
        // Not over the old one: a program that still runs may have it mapped.
        let _ = fs::remove_file(stage.library());
        let library = match std::env::var_os("LIBUV_DIR") {
            Some(folder) => PathBuf::from(folder).join("libuv.so.1"),
            None => our_library()?,
        };
        fs::copy(&library, stage.library()).map_err(|e| format!("{}: {e}", library.display()))?;
        Ok(stage)
    }

    /// A stage with the library that is in `library_folder`.
    pub fn on(library_folder: PathBuf) -> Result<Self, String> {
        let stage = Self { folder: target().join("programs"), library_folder };
        for folder in [stage.library_folder.clone(), stage.root()] {
            fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        Ok(stage)
    }

    /// What `dpkg -x` unpacks into.
    pub fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// Our library, as programs are to map it.
    pub fn library(&self) -> PathBuf {
        self.library_folder.join("libuv.so.1")
    }

    /// The folder of the packages' libraries, which is named after the machine's architecture.
    pub fn libraries(&self) -> PathBuf {
        self.root().join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))
    }

    /// What the repository has for the program called `name`.
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

    /// A command that finds our library first and then those of the packages. `LIBUV` tells it
    /// which file it should find mapped.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env("LIBUV", self.library());
        command.env("LD_LIBRARY_PATH", self.search_path()).env_remove("UV_THREADPOOL_SIZE");
        command
    }

    /// The same, with the packages' files laid over these folders of `/usr`, for programs that have
    /// paths compiled in. Only the program sees it: it gets a mount namespace of its own.
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
        // As root in a namespace of its own, if that is what it takes to be allowed to mount.
        command.arg(if is_root() { "-m" } else { "-rm" }).args(["sh", "-c", script, "sh", folders]);
        command.arg(self.root().join("usr")).arg(self.search_path()).arg(program.as_ref());
        command.env("LIBUV", self.library()).env_remove("UV_THREADPOOL_SIZE");
        command
    }

    fn search_path(&self) -> String {
        format!("{}:{}", self.library_folder.display(), self.libraries().display())
    }
}

/// Builds our library, as it is shipped.
fn our_library() -> Result<PathBuf, String> {
    dist::build().map(|built| built.shared)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

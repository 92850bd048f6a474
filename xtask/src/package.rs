//! The packages of the published crates, and their metadata.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::build::metadata;
use crate::{files, setup};

/// Fields of a manifest that every published crate has. crates.io shows them.
const FIELDS: [&str; 6] =
    ["description", "license", "readme", "documentation", "keywords", "categories"];

/// The names of the crates that are not published.
const PRIVATE: [&str; 4] = ["mauve-bench", "mauve-compare", "mauve-guide", "xtask"];

/// Checks the metadata of all crates, and makes and compiles the packages of the published ones. Returns
/// the number of published crates.
///
/// This is what `cargo publish --workspace --dry-run` does, without a query to the registry: the result
/// of a test must not depend on the network.
pub fn check() -> Result<usize, String> {
    let published = published()?;
    let private = PRIVATE.iter().flat_map(|name| ["--exclude", name]);
    package(["--workspace", "--no-verify"].into_iter().chain(private))?;
    compile(&published)?;
    Ok(published.len())
}

/// A published crate: its name and version.
struct Package {
    name: String,
    version: String,
}

impl Package {
    /// The name of the package's file without its extension, and of the folder in it.
    fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// Compiles the packages as users get them. Each uses the packages of the others instead of the
/// crates of this workspace, so that a file which is missing in a package is noticed.
fn compile(published: &[Package]) -> Result<(), String> {
    let packages = crate::target().join("package");
    let folder = files::create_empty(packages.join("unpacked"))?;
    let mut manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n".to_owned();
    manifest += "\n[patch.crates-io]\n";
    for package in published {
        let file = packages.join(package.folder() + ".crate");
        let mut tar = Command::new("tar");
        // Files in packages have a constant time. With a new one, cargo compiles changed files.
        tar.args(["-x", "-z", "--touch", "-C"]).arg(&folder).arg("-f").arg(&file);
        succeed(&mut tar, &format!("unpacking {}", file.display()))?;
        manifest += &format!("{} = {{ path = {:?} }}\n", package.name, package.folder());
    }
    files::write(&folder.join("Cargo.toml"), manifest)?;
    files::copy(&crate::root().join("Cargo.lock"), &folder.join("Cargo.lock"))?;
    let mut command = cargo();
    command.args(["check", "--workspace", "--offline", "--quiet"]).current_dir(&folder);
    command.env("CARGO_TARGET_DIR", crate::target());
    succeed(&mut command, "compiling the packages")
}

fn succeed(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{what}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed")) }
}

/// Checks the published crates with the compiler that `rust-version` names, which must be installed.
pub fn check_oldest_compiler() -> Result<(), String> {
    let version = setup::OLDEST_COMPILER;
    let toolchain = format!("+{version}");
    let mut command = Command::new("cargo");
    command.args([&*toolchain, "check", "--workspace", "--locked", "--quiet"]);
    command.args(PRIVATE.iter().flat_map(|name| ["--exclude", name]));
    // The cargo that started this program has set its own toolchain in the environment.
    command.current_dir(crate::root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command.env("CARGO_TARGET_DIR", crate::target().join("oldest"));
    let status = command.status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("Rust {version} cannot compile the crates")) }
}

/// Runs `cargo package`.
fn package<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut command = cargo();
    command.args(["package", "--locked", "--offline", "--allow-dirty", "--quiet"]).args(arguments);
    succeed(&mut command, "`cargo package`")
}

/// Checks the metadata of all crates. Returns the published ones.
fn published() -> Result<Vec<Package>, String> {
    let metadata = metadata(&crate::root(), &["--no-deps"])?;
    let packages = metadata["packages"].as_array().ok_or("`cargo metadata` lists no packages")?;
    let mut published = Vec::new();
    for package in packages {
        let name = package["name"].as_str().ok_or("a package without a name")?;
        let is_private = package["publish"].as_array().is_some_and(Vec::is_empty);
        if is_private != PRIVATE.contains(&name) {
            return Err(format!("{name}: `publish` and the list in xtask/src/package.rs differ"));
        }
        if !is_private {
            let manifest = package["manifest_path"].as_str().ok_or("no manifest path")?;
            let problems = problems(package, Path::new(manifest));
            if !problems.is_empty() {
                return Err(format!("{name}: {}", problems.join(", ")));
            }
            let version = package["version"].as_str().ok_or("a package without a version")?;
            published.push(Package { name: name.to_owned(), version: version.to_owned() });
        }
    }
    Ok(published)
}

/// What a published crate lacks.
fn problems(package: &Value, manifest: &Path) -> Vec<String> {
    let is_missing = |field: &&&str| match &package[**field] {
        Value::Null => true,
        Value::Array(items) => items.is_empty() || items.len() > 5,
        _ => false,
    };
    let mut problems: Vec<String> =
        FIELDS.iter().filter(is_missing).map(|field| format!("needs `{field}`")).collect();
    if package["rust_version"].is_null() {
        problems.push("needs `rust-version.workspace = true`".to_owned());
    }
    if package["metadata"]["docs"]["rs"].is_null() {
        problems.push("needs `[package.metadata.docs.rs]`".to_owned());
    }
    if !manifest.with_file_name("LICENSE").exists() {
        problems.push("needs a link `LICENSE` to ../../LICENSE".to_owned());
    }
    let repository = package["repository"].as_str().unwrap_or_default();
    if repository.contains("example") {
        problems.push(format!("has the repository {repository}"));
    }
    problems
}

fn cargo() -> Command {
    let mut command = crate::build::cargo();
    command.current_dir(crate::root());
    command
}

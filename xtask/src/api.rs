//! `cargo xtask api`: the public API of the crates for Rust programs.
//!
//! cargo-public-api lists it. The lists are stored in `abi/`, so that a commit which changes the API shows
//! how. cargo-semver-checks compares it with that of the last release.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::tally::Tally;
use crate::{files, root, setup};

/// The crates, and the features that are part of their API.
const CRATES: [(&str, &[&str]); 2] = [("mauve", &[]), ("mauve-hyper", &["--all-features"])];

/// Compares the API with the lists, and with the last release.
pub fn check() -> Result<Tally, String> {
    let mut tally = Tally::default();
    for (name, features) in CRATES {
        let (stored, listed) = (files::read(path(name))?, list(name, features)?);
        let (old, new) = (lines(&stored), lines(&listed));
        let removed = old.difference(&new).map(|line| format!("- {line}"));
        let added = new.difference(&old).map(|line| format!("+ {line}"));
        let changes: Vec<String> = removed.chain(added).collect();
        if !changes.is_empty() {
            let changes = changes.join("\n");
            return Err(format!(
                "the API of {name} has changed; if that is intended, run `cargo xtask api --bless`:\n\
                 {changes}"
            ));
        }
        tally += Tally::passed(1);
    }
    tally += compare_with_release()?;
    Ok(tally)
}

/// Stores the lists.
pub fn bless() -> Result<(), String> {
    for (name, features) in CRATES {
        files::write(&path(name), list(name, features)?)?;
    }
    Ok(())
}

fn path(name: &str) -> PathBuf {
    root().join("abi").join(format!("{name}.txt"))
}

fn lines(list: &str) -> BTreeSet<&str> {
    list.lines().collect()
}

/// Lists the API of a crate, without what the compiler derives.
fn list(name: &str, features: &[&str]) -> Result<String, String> {
    let mut command = cargo(&["+nightly", "public-api", "--package", name, "-sss"]);
    let output = command.args(features).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("cargo public-api: {e}"))?;
    if !output.status.success() {
        return Err("`cargo public-api` failed".to_owned());
    }
    String::from_utf8(output.stdout).map_err(|e| format!("cargo public-api: {e}"))
}

/// Checks that programs for the last release still compile, unless the version says otherwise.
fn compare_with_release() -> Result<Tally, String> {
    let mut git = Command::new("git");
    git.args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).current_dir(root());
    let tag = git.stderr(Stdio::null()).output().map_err(|e| format!("git: {e}"))?;
    if !tag.status.success() {
        return Ok(Tally::skipped("there is no release to compare the API with"));
    }
    let tag = String::from_utf8_lossy(&tag.stdout).trim().to_owned();
    let mut tally = Tally::default();
    for (name, features) in CRATES {
        let mut command = cargo(&["semver-checks", "--package", name, "--baseline-rev", &tag]);
        let status = command.args(features).status();
        if !status.map_err(|e| format!("cargo semver-checks: {e}"))?.success() {
            return Err(format!("the API of {name} is not compatible with {tag}"));
        }
        tally += Tally::passed(1);
    }
    Ok(tally)
}

/// The cargo that the arguments select, not the one that started this program.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(root()).env("PATH", setup::path());
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

//! `cargo xtask sbom`: the crates that are part of the library and of the command, as a software bill
//! of materials in the format CycloneDX 1.5 (JSON).
//!
//! The source is `cargo metadata`: the packages of `Cargo.lock` that are linked on this platform. Build
//! scripts, procedural macros and what only they use are left out, because they are not shipped. What only
//! another program of the workspace uses, by a feature of a crate, is left out too (`cargo tree`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{succeed, write};
use crate::build::cargo;
use crate::{root, target};

/// The distributed programs: the file, and the crate that it is built from.
const PROGRAMS: &[(&str, &str)] = &[("libuv.so.1", "mauve-uv"), ("mauve", "mauve-cli")];

/// Writes the lists to the folder `sbom` of the target folder, and prints their paths.
pub fn run() -> Result<(), String> {
    for (program, package) in PROGRAMS {
        let file = target().join("sbom").join(format!("{program}.cdx.json"));
        write(&file, text(package)?)?;
        println!("{}", file.display());
    }
    Ok(())
}

/// The list of a crate, as text.
pub fn text(package: &str) -> Result<String, String> {
    let list = list(&metadata(&root())?, package)?;
    serde_json::to_string_pretty(&list).map(|text| text + "\n").map_err(|e| e.to_string())
}

/// Checks both lists: every crate has a version and a license, and every dependency is listed.
pub fn check() -> Result<(), String> {
    let metadata = metadata(&root())?;
    for (program, package) in PROGRAMS {
        check_list(&list(&metadata, package)?).map_err(|why| format!("{program}: {why}"))?;
    }
    Ok(())
}

fn check_list(list: &Value) -> Result<(), String> {
    let empty = Vec::new();
    let components = list["components"].as_array().unwrap_or(&empty);
    if components.len() < 3 {
        return Err(format!("only {} crates", components.len()));
    }
    let mut known: BTreeSet<&str> =
        components.iter().filter_map(|component| component["bom-ref"].as_str()).collect();
    known.extend(list["metadata"]["component"]["bom-ref"].as_str());
    for component in components {
        let name = &component["name"];
        if component["version"].as_str().is_none_or(str::is_empty) {
            return Err(format!("{name} has no version"));
        }
        if component["licenses"][0]["expression"].as_str().is_none_or(str::is_empty) {
            return Err(format!("{name} has no license"));
        }
    }
    for dependency in list["dependencies"].as_array().unwrap_or(&empty) {
        for name in dependency["dependsOn"].as_array().unwrap_or(&empty) {
            if !name.as_str().is_some_and(|name| known.contains(name)) {
                return Err(format!("{name} is not listed"));
            }
        }
    }
    Ok(())
}

/// The list of everything that is linked into the package `name`.
fn list(metadata: &Value, name: &str) -> Result<Value, String> {
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let is_root = |package: &&&Value| package["name"] == name && package["source"].is_null();
    let own = packages.values().find(is_root).ok_or_else(|| format!("no package {name}"))?;
    let first = own["id"].as_str().ok_or("a package without an id")?;
    let used = used_by(name)?;
    let is_used =
        |id: &&str| packages.get(*id).is_some_and(|package| used.contains(&purl(package)));
    let mut graph: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = vec![first];
    while let Some(id) = open.pop() {
        if graph.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).ok_or_else(|| format!("{id} has no dependencies"))?;
        let linked: Vec<&str> = linked(node, &packages).into_iter().filter(is_used).collect();
        open.extend(&linked);
        graph.insert(id, linked);
    }
    let package = |id: &&str| packages[*id];
    let components: Vec<Value> =
        graph.keys().filter(|id| **id != first).map(|id| component(package(id))).collect();
    let dependencies: Vec<Value> = graph
        .iter()
        .map(|(id, uses)| {
            let uses: BTreeSet<String> = uses.iter().map(|id| purl(package(id))).collect();
            json!({ "ref": purl(package(id)), "dependsOn": uses })
        })
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(own) },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The packages that are built for the package `name` alone. `cargo metadata` has the features of the
/// whole workspace.
fn used_by(name: &str) -> Result<BTreeSet<String>, String> {
    let mut command = cargo();
    command.args(["tree", "--locked", "-p", name, "-e", "normal", "--prefix", "none"]);
    let text = succeed(command.args(["--format", "{p}"]).current_dir(root()))?;
    let package = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    let packages = text.lines().filter_map(package);
    Ok(packages.map(|(name, version)| purl(&json!({ "name": name, "version": version }))).collect())
}

/// The packages that a package is linked with: its dependencies at run time, except macros.
fn linked<'a>(node: &'a Value, packages: &BTreeMap<&str, &Value>) -> Vec<&'a str> {
    let is_at_run_time = |dependency: &&Value| {
        let kinds = dependency["dep_kinds"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
    };
    let is_macro = |id: &&str| {
        let targets = packages.get(*id).and_then(|package| package["targets"].as_array());
        targets
            .is_some_and(|targets| targets.iter().any(|target| target["kind"][0] == "proc-macro"))
    };
    let dependencies = node["deps"].as_array().into_iter().flatten().filter(is_at_run_time);
    let ids = dependencies.filter_map(|dependency| dependency["pkg"].as_str());
    ids.filter(|id| !is_macro(id)).collect()
}

fn component(package: &Value) -> Value {
    json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
        "description": package["description"],
        "licenses": [{ "expression": license(package) }],
    })
}

/// The expression of SPDX. Older crates separate alternatives by a slash.
fn license(package: &Value) -> String {
    package["license"].as_str().unwrap_or_default().replace('/', " OR ")
}

fn purl(package: &Value) -> String {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    // Packages of this repository have no source.
    format!("pkg:cargo/{}@{}", text("name"), text("version").replace('+', "%2B"))
}

fn by_id(list: &Value) -> BTreeMap<&str, &Value> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| Some((item["id"].as_str()?, item))).collect()
}

/// The folders of downloaded crates: `.../registry/src/NAME-HASH`.
pub fn registries(source: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let metadata = metadata(source)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let downloaded = packages.filter(|package| !package["source"].is_null());
    let manifests = downloaded.filter_map(|package| package["manifest_path"].as_str());
    Ok(manifests
        .filter_map(|path| Path::new(path).ancestors().nth(2))
        .map(Path::to_owned)
        .collect())
}

/// `cargo metadata` of a repository, for this platform.
fn metadata(source: &Path) -> Result<Value, String> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = cargo();
    command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", &platform]);
    let text = succeed(command.current_dir(source))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_its_crates_and_no_macros() {
        let list = list(&metadata(&root()).unwrap(), "mauve-uv").unwrap();
        check_list(&list).unwrap();
        let components = list["components"].as_array().unwrap();
        let names: Vec<&str> = components.iter().filter_map(|c| c["name"].as_str()).collect();
        assert!(names.contains(&"mauve-core") && names.contains(&"libc"), "{names:?}");
        assert!(!names.contains(&"syn"), "{names:?}");
        // Only the command has features that need it.
        assert!(!names.contains(&"serde_json"), "{names:?}");
        assert_eq!(list["metadata"]["component"]["name"], "mauve-uv");
    }

    #[test]
    fn a_list_without_a_license_or_with_an_unknown_dependency_is_wrong() {
        let metadata = metadata(&root()).unwrap();
        let mut wrong = list(&metadata, "mauve-uv").unwrap();
        wrong["components"][0]["licenses"] = json!([]);
        assert!(check_list(&wrong).unwrap_err().contains("license"));
        let mut wrong = list(&metadata, "mauve-uv").unwrap();
        wrong["dependencies"][0]["dependsOn"] = json!(["pkg:cargo/none@1.0.0"]);
        assert!(check_list(&wrong).unwrap_err().contains("not listed"));
    }
}

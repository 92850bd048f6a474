//! The licenses of everything that is linked into the command and the library, for `mauve licenses` and the
//! packages: `crates/mauve-cli/THIRD-PARTY.txt`.
//!
//! `cargo metadata` lists the crates that are linked on x86-64 Linux, and their sources have the texts. If a
//! license may be chosen, it is MIT.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{File, text};
use crate::build::metadata;
use crate::files;

const PATH: &str = "crates/mauve-cli/THIRD-PARTY.txt";

/// What is distributed, and its name in the list.
const PRODUCTS: &[(&str, &str)] = &[
    ("mauve-uv", "library"),
    ("mauve-cli", "command"),
    ("mauve-redirect", "redirection"),
    ("mauve-clock", "clock"),
];

const HEADER: &str = "\
Third-party notices

The command mauve, the library libuv.so.1 and the objects libmauve-redirect.so and libmauve-clock.so contain the following
works. mauve itself has the MIT license.

";

/// The standard library is in each of them. It has the same copyright holders as this crate.
const LIKE_THE_STANDARD_LIBRARY: &str = "libc";

/// A crate of another project.
struct Crate<'a> {
    package: &'a Value,
    products: BTreeSet<&'static str>,
}

pub fn file() -> Result<File, String> {
    let metadata = metadata(&crate::root(), &["--filter-platform", "x86_64-unknown-linux-gnu"])?;
    let crates = linked(&metadata)?;
    let mut out = HEADER.to_owned();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in &crates {
        let package = found.package;
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        let products: Vec<&str> = found.products.iter().copied().collect();
        let license = text(&package["license"]).replace('/', " OR ");
        out += &format!("{name}: {license} (in: {})\n", products.join(", "));
        for path in texts_of(package, &crates)? {
            let users = texts.entry(normalised(&files::read(&path)?)).or_default();
            users.push(match path.parent().and_then(Path::file_name) {
                Some(folder) if folder == "quickjs" => "QuickJS".to_owned(),
                _ => name.clone(),
            });
            if text(&package["name"]) == LIKE_THE_STANDARD_LIBRARY {
                users.push("the standard library of Rust".to_owned());
            }
        }
    }
    out += "the standard library of Rust: MIT OR Apache-2.0 (in: command, library, redirection, clock)\n";
    out += "QuickJS: MIT (in: command)\n";
    let mut texts: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, users)| (users, text)).collect();
    texts.sort();
    for (users, text) in texts {
        out += &format!("\n{}\n{}\n\n{text}", "=".repeat(80), users.join(", "));
    }
    Ok(File { path: PATH.to_owned(), text: out })
}

/// The crates of other projects that are linked into the products, by name.
fn linked(metadata: &Value) -> Result<Vec<Crate<'_>>, String> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<&str, &Value> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]).to_owned(), node))
        .collect();
    let mut found: BTreeMap<(String, String), Crate<'_>> = BTreeMap::new();
    for (product, title) in PRODUCTS {
        let root = packages.iter().find(|(_, package)| package["name"] == *product);
        let mut open = vec![*root.ok_or_else(|| format!("there is no {product}"))?.0];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let Some((id, package)) = packages.get_key_value(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if !package["source"].is_null() {
                let key = ["name", "version"].map(|key| text(&package[key]).to_owned());
                let products = BTreeSet::new();
                let entry = found.entry(key.into());
                entry.or_insert(Crate { package, products }).products.insert(title);
            }
            for dependency in nodes[*id]["deps"].as_array().into_iter().flatten() {
                let mut kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
                let package = packages[text(&dependency["pkg"])];
                if kinds.any(|kind| kind["kind"].is_null()) && !is_macro(package) {
                    open.push(text(&package["id"]));
                }
            }
        }
    }
    Ok(found.into_values().collect())
}

/// Whether a crate runs in the compiler only.
fn is_macro(package: &Value) -> bool {
    let mut targets = package["targets"].as_array().into_iter().flatten();
    targets.any(|target| target["kind"][0] == "proc-macro")
}

/// The files with the licenses of a crate, and of what is in its folders.
fn texts_of(package: &Value, crates: &[Crate<'_>]) -> Result<Vec<PathBuf>, String> {
    let (name, license) = (text(&package["name"]), text(&package["license"]));
    let folder = |package: &Value| {
        Path::new(text(&package["manifest_path"])).parent().expect("a folder").to_owned()
    };
    let mut chosen = choose(&folder(package), license)?;
    if chosen.is_empty() {
        // Some crates leave the file to another crate of their repository.
        let mut others = crates.iter().map(|other| other.package);
        let other = others.find(|other| {
            other["repository"] == package["repository"]
                && choose(&folder(other), license).is_ok_and(|files| !files.is_empty())
        });
        let other = other.ok_or_else(|| format!("{name} has no license file"))?;
        chosen = choose(&folder(other), license)?;
    }
    for inner in files::entries(&folder(package))? {
        let inner = inner.join("LICENSE");
        if inner.is_file() {
            chosen.push(inner);
        }
    }
    Ok(chosen)
}

/// The files in a folder that apply.
fn choose(folder: &Path, license: &str) -> Result<Vec<PathBuf>, String> {
    let files = files::entries(folder)?;
    let find = |start: &str| {
        let name = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            name.split('.').next() == Some(start)
        };
        files.iter().find(name).filter(|path| path.is_file()).cloned()
    };
    let mut chosen: Vec<PathBuf> =
        find("LICENSE-MIT").or_else(|| find("LICENSE")).into_iter().collect();
    if license.contains("Unicode-3.0") {
        chosen.extend(find("LICENSE-UNICODE"));
    }
    Ok(chosen)
}

/// A text without differences in line ends and in spaces at their ends.
fn normalised(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

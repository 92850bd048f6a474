//! The documents of the repository and their links. The tests check that the files, links, commands,
//! variables and steps that they name exist.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{files, root};

/// Where documents are, besides the root of the repository.
const FOLDERS: &[&str] = &["docs", "examples", "crates/mauve-cli/topics"];

/// The paths of all documents.
pub fn all() -> Result<Vec<String>, String> {
    let mut found = files::entries(&root())?;
    for folder in FOLDERS {
        found.extend(files::below(&root().join(folder))?);
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "md"));
    let mut names: Vec<String> = found.iter().map(|path| name(path)).collect();
    names.sort();
    Ok(names)
}

/// A document, all documents that it leads to, and the other files that these link to.
pub fn with_links(document: &str) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let mut open = vec![root().join(document)];
    while let Some(path) = open.pop() {
        let path = path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?;
        if path.is_dir() {
            open.extend(files::below(&path)?);
        } else if found.insert(name(&path)) && path.extension().is_some_and(|end| end == "md") {
            let text = files::read(&path)?;
            let folder = path.parent().unwrap_or(&path).to_owned();
            let linked = links(&text).into_iter().map(|(file, _)| file);
            open.extend(linked.filter(|file| !file.is_empty()).map(|file| folder.join(file)));
        }
    }
    Ok(found)
}

/// The files and anchors that a document links to. The file of a link inside of the document is empty.
fn links(text: &str) -> Vec<(String, String)> {
    let text = without_blocks(text);
    let targets = text.split("](").skip(1).filter_map(|part| part.split(')').next());
    let attributes = ["src=\"", "srcset=\"", "href=\""];
    let attributes = attributes.iter().flat_map(|name| text.split(name).skip(1));
    let files = attributes.filter_map(|part| part.split('"').next());
    let is_file = |link: &&str| !link.contains("://");
    let local = targets.chain(files).filter(is_file);
    let parts = local.map(|link| link.split_once('#').unwrap_or((link, "")));
    parts.map(|(file, anchor)| (file.to_owned(), anchor.to_owned())).collect()
}

/// A text without its code blocks.
fn without_blocks(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// The path of a file in the repository.
fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;

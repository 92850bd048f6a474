//! Checks the built pages: each link leads to an existing page and anchor, and headless Chromium opens
//! each page without errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::stage;
use crate::files::{below, read};
use crate::page;
use crate::tally::Tally;

/// Checks all pages of a folder. Without Chromium, only links are checked.
pub fn check(html: &Path) -> Result<Tally, String> {
    let mut pages = below(html)?;
    pages.retain(|path| path.extension().is_some_and(|end| end == "html"));
    let links = links(&pages)?;
    println!("{links} links of {} pages lead to existing anchors", pages.len());
    if let Some(why) = page::lacks_browser() {
        let mut tally = Tally::passed(links);
        tally.skip(pages.len(), why);
        return Ok(tally);
    }
    page::script("guide.js", [html])?;
    Ok(Tally::passed(links + pages.len()))
}

/// Checks the links of all pages. Returns how many there are.
fn links(pages: &[PathBuf]) -> Result<usize, String> {
    let mut texts = BTreeMap::new();
    for page in pages {
        texts.insert(page.clone(), read(page)?);
    }
    let anchors: BTreeMap<&PathBuf, BTreeSet<&str>> =
        texts.iter().map(|(page, text)| (page, attributes(text, "id").collect())).collect();
    let (mut count, mut problems) = (0, Vec::new());
    for (page, text) in &texts {
        let targets = attributes(text, "href").chain(attributes(text, "src"));
        for target in targets.filter(|target| !is_external(target)) {
            count += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                page.clone()
            } else {
                stage::resolve(page.parent().unwrap_or(page), file)
            };
            let has_anchor =
                |anchors: &BTreeSet<&str>| anchor.is_empty() || anchors.contains(anchor);
            let exists = match anchors.get(&path) {
                Some(anchors) => has_anchor(anchors),
                None => anchor.is_empty() && path.is_file(),
            };
            if !exists {
                problems.push(format!("{}: there is no {target}", page.display()));
            }
        }
    }
    if problems.is_empty() { Ok(count) } else { Err(problems.join("\n")) }
}

/// Whether a link leads elsewhere. Such links are not followed: a test must not need the network.
fn is_external(target: &str) -> bool {
    target.contains("://") || target.starts_with("data:") || target.starts_with("mailto:")
}

/// The values of an attribute. Values in mdBook's pages are in double quotes, and code in pages has its
/// quotes escaped.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find(&start)? + start.len();
        let (value, after) = rest[at..].split_once('"')?;
        rest = after;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_in_all_elements() {
        let text = r#"<a href="x.html#y" id="z">b</a><img src="c.png"><h2 id="y">y</h2>"#;
        assert_eq!(attributes(text, "href").collect::<Vec<_>>(), ["x.html#y"]);
        assert_eq!(attributes(text, "id").collect::<Vec<_>>(), ["z", "y"]);
        assert!(is_external("https://a.b/c#d") && !is_external("../a.html"));
    }
}

//! The C headers: templates of ours, filled in with the facts.
//!
//! The templates in `abi/header/` have the order, the comments and what the platform's own headers
//! decide. A line that begins with `@` asks for a fact, and is replaced by it:
//!
//! * `@functions NAME...`: prototypes.
//! * `@callback TYPE NAME...`: the type of a function, and what its parameters are called.
//! * `@enum NAME`: an enumeration.
//! * `@struct NAME`, `@struct NAME MACRO... BASE`: a struct; the second begins with the fields of
//!   `BASE`, by way of the macros.
//! * `@fields MACRO NAME`, `@fields MACRO NAME BASE`: a macro with the fields of a struct, without
//!   those of `BASE`.
//! * `@declare CATEGORY`: forward declarations of all structs of a category.
//! * `@macros PREFIX`: constants.
//! * `@version`, `@errors`, `@error-values`, `@types LIST`: the other tables.
//!
//! Every function and every public type has to be asked for exactly once.

mod c;
mod structs;
mod tables;
mod template;

use std::collections::BTreeSet;

use serde_json::Value;

use super::File;

/// Everything that is known.
pub struct Facts<'a> {
    pub constants: &'a Value,
    pub layout: &'a Value,
    pub functions: &'a Value,
}

/// Where each header stands, and its template.
const HEADERS: &[(&str, &str)] = &[
    ("crates/mauve-uv/include/uv.h", "abi/header/uv.h.in"),
    ("crates/mauve-uv/include/uv/version.h", "abi/header/uv/version.h.in"),
    ("crates/mauve-uv/include/uv/errno.h", "abi/header/uv/errno.h.in"),
    ("crates/mauve-uv/include/uv/unix.h", "abi/header/uv/unix.h.in"),
];

/// Types of libuv that are of no use to programs, and that we do not have.
const NOT_OURS: &[&str] = &["uv__dirent_t", "struct uv__queue", "struct uv__work"];

pub fn files(facts: &Facts<'_>) -> Result<Vec<File>, String> {
    let mut used = Vec::new();
    let mut files = Vec::new();
    for (path, template) in HEADERS {
        let text = super::read(template)?;
        let text = template::fill(&text, facts, &mut used)
            .map_err(|(line, why)| format!("{template}:{line}: {why}"))?;
        files.push(File { path, text });
    }
    everything_once(facts, used)?;
    Ok(files)
}

fn everything_once(facts: &Facts<'_>, mut used: Vec<String>) -> Result<(), String> {
    used.sort();
    if let Some(twice) = used.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("abi/header: {} is there twice", twice[0]));
    }
    let used: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    let functions = facts.functions["functions"].as_array().expect("a list of functions");
    let functions = functions.iter().map(|function| super::text(&function["name"]));
    let types = facts.layout["types"].as_object().expect("a map of types");
    // What the platform's types decide stands in the template itself.
    let generated =
        |kind: &Value| !matches!(super::text(&kind["category"]), "scalar" | "system-opaque");
    let types = types.iter().filter(|(_, kind)| generated(kind)).map(|(name, _)| name.as_str());
    let missing =
        functions.chain(types).find(|name| !used.contains(name) && !NOT_OURS.contains(name));
    missing.map_or(Ok(()), |name| Err(format!("abi/header: {name} is missing")))
}

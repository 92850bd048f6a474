//! Structs and unions: maintained fields with their names, other fields as reserved space.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::{maintained, number, text};
use super::{Facts, c, windows};

/// System types, whose size depends on the platform. They are declared even if the field is reserved.
const SYSTEM: &[&str] = &["uv_mutex_t", "uv_rwlock_t", "struct termios", "struct sockaddr_storage"];

/// Arrays whose length depends on the C library, and the types that are declared instead.
const LENGTHS: &[(&str, &str)] = &[("char [1025]", "char [NI_MAXHOST]")];

const WORD: i64 = 8;

/// The name of a type in `abi/layout-*.json`: with `struct` or `union` in front if it has no
/// typedef.
pub fn full_name(name: &str, facts: &Facts<'_>) -> Result<String, String> {
    let names = [name.to_owned(), format!("struct {name}"), format!("union {name}")];
    let found = names.into_iter().find(|name| facts.layout["types"][name].is_object());
    found.ok_or_else(|| format!("there is no type {name}"))
}

/// The definition of a type. With a base, it starts with the fields of the base.
pub fn definition(
    name: &str,
    base: Option<(&&str, &[&str])>,
    facts: &Facts<'_>,
) -> Result<String, String> {
    let full = full_name(name, facts)?;
    let own = match base {
        Some((base, _)) => {
            let (linux, windows) = size_of(base, facts)?;
            windows::either(
                &fields(&full, &facts.layout["types"][&full], linux),
                &windows::fields(&full, windows, facts),
            )
        }
        None => windows::either(
            &fields(&full, &facts.layout["types"][&full], 0),
            &windows::fields(&full, 0, facts),
        ),
    };
    let macros = base.map_or(&[][..], |(_, macros)| macros);
    let macros = macros.iter().map(|name| format!("    {name}\n")).collect::<String>();
    Ok(enclosed(name, &full, &(macros + &own), facts))
}

/// The definition of a type of Unix.
pub fn unix_definition(name: &str, facts: &Facts<'_>) -> Result<String, String> {
    let full = full_name(name, facts)?;
    let body = fields(&full, &facts.layout["types"][&full], 0);
    Ok(enclosed(name, &full, &body, facts))
}

/// The definition of a type with this body.
fn enclosed(name: &str, full: &str, body: &str, facts: &Facts<'_>) -> String {
    let kind = &facts.layout["types"][full];
    let keyword = text(&kind["kind"]);
    match kind["underlying"].as_str() {
        // `struct uv_timer_s`, with a forward declaration.
        Some(tag) if is_declared(kind) => format!("{tag} {{\n{body}}};\n"),
        Some(tag) => format!("typedef {tag} {{\n{body}}} {name};\n"),
        None if full == name => format!("typedef {keyword} {{\n{body}}} {name};\n"),
        None => format!("{full} {{\n{body}}};\n"),
    }
}

/// A macro with the fields of a type, for types that start with the same fields.
pub fn fields_macro(
    name: &str,
    kind: &str,
    base: Option<&str>,
    facts: &Facts<'_>,
) -> Result<String, String> {
    let (linux, windows) = base.map_or(Ok((0, 0)), |base| size_of(base, facts))?;
    let linux = fields(kind, &facts.layout["types"][kind], linux);
    let windows = windows::fields(kind, windows, facts);
    let define = |fields: &str| c::macro_of(name, fields.trim_end());
    Ok(windows::either(&define(&linux), &define(&windows)))
}

/// Forward declarations of the types of a category.
pub fn declarations(category: &str, facts: &Facts<'_>) -> String {
    let types = facts.layout["types"].as_object().expect("a map of types");
    let declared = types.iter().filter(|(_, kind)| kind["category"] == category);
    declared
        .filter(|(_, kind)| is_declared(kind))
        .map(|(name, kind)| format!("typedef {} {name};\n", text(&kind["underlying"])))
        .collect()
}

/// Whether the type has a forward declaration: types named `uv_x_t` and `struct uv_x_s`.
fn is_declared(kind: &Value) -> bool {
    let category = text(&kind["category"]);
    kind["underlying"].as_str().is_some_and(|tag| tag.ends_with("_s")) && category != "internal"
}

/// The size of a type on Linux, and on Windows.
fn size_of(name: &str, facts: &Facts<'_>) -> Result<(i64, i64), String> {
    let [linux, windows] =
        [facts.layout, facts.windows].map(|layout| layout["types"][name]["size"].as_i64());
    linux.zip(windows).ok_or_else(|| format!("there is no type {name}"))
}

/// The declarations of the fields from an offset on.
pub(super) fn fields(name: &str, kind: &Value, from: i64) -> String {
    let all = kind["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let all: Vec<&Value> = all.iter().filter(|field| number(&field["offset"]) >= from).collect();
    let last = all.last().copied();
    let mut out = String::new();
    // Adjacent reserved fields are merged.
    let mut unnamed = None;
    for field in all {
        let offset = number(&field["offset"]);
        let field_type = text(&field["type"]);
        let named = maintained::field(name, kind, field);
        if !named && !SYSTEM.contains(&field_type) {
            unnamed.get_or_insert(offset);
            continue;
        }
        if let Some(begin) = unnamed.take() {
            out += &reserved(begin, offset);
        }
        if named {
            out += &declaration(field);
        } else {
            let _ =
                writeln!(out, "    {};", c::declare(field_type, &format!("uv_reserved_{offset}")));
        }
    }
    if let (Some(begin), Some(last)) = (unnamed, last) {
        // Without the padding at the end of the struct, which depends on what precedes it.
        out += &reserved(begin, number(&last["offset"]) + number(&last["size"]));
    }
    out
}

pub(super) fn declaration(field: &Value) -> String {
    let (name, kind) = (text(&field["name"]), text(&field["type"]));
    let kind = LENGTHS.iter().find(|(from, _)| *from == kind).map_or(kind, |(_, to)| to);
    let Some(members) = field["members"].as_array() else {
        return format!("    {};\n", c::declare(kind, name));
    };
    let keyword = kind.split_whitespace().next().expect("struct or union");
    let mut out = format!("    {keyword} {{\n");
    for member in members {
        let member = c::declare(text(&member["type"]), text(&member["name"]));
        let _ = writeln!(out, "        {member};");
    }
    out + &format!("    }} {name};\n")
}

/// Declares reserved space. The offset makes its name unique.
pub(super) fn reserved(begin: i64, end: i64) -> String {
    let mut out = String::new();
    let words = (begin + WORD - 1) / WORD * WORD..end / WORD * WORD;
    if begin < words.start {
        let _ = writeln!(out, "    int uv_reserved_{begin};");
    }
    if !words.is_empty() {
        let count = (words.end - words.start) / WORD;
        let _ = writeln!(out, "    void *uv_reserved_{}[{count}];", words.start);
    }
    if words.end < end {
        let _ = writeln!(out, "    int uv_reserved_{};", words.end);
    }
    out
}

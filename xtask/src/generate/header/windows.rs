//! The structs of Windows: maintained fields with their names, and all else as reserved space.

use super::super::{maintained, number, text};
use super::structs::{declaration, fields as linux_fields, reserved};
use super::{Facts, c};

/// A field: its offset, its size and its declaration.
type Field = (i64, i64, String);

/// The declarations of the fields from an offset on. Those of Linux for a type that is not in the numbers for
/// Windows.
pub fn fields(name: &str, from: i64, facts: &Facts<'_>) -> String {
    let kind = &facts.layout["types"][name];
    let numbers = &facts.windows["types"][name];
    let Some(size) = numbers["size"].as_i64() else { return linux_fields(name, kind, from) };
    let found = |field: &str, declared: String| -> Option<Field> {
        let place = numbers["offsets"][field].as_array()?;
        Some((number(&place[0]), number(&place[1]), declared))
    };
    let described = kind["fields"].as_array().into_iter().flatten();
    let described = described
        .filter(|field| maintained::on_windows(name, kind, field))
        .filter_map(|field| found(text(&field["name"]), declaration(field)));
    let own = maintained::WINDOWS.iter().filter(|(of, _, _)| *of == name);
    let own = own
        .filter_map(|(_, field, kind)| found(field, format!("    {};\n", c::declare(kind, field))));
    let mut fields: Vec<Field> = described.chain(own).filter(|field| field.0 >= from).collect();
    fields.sort();
    let (mut out, mut end) = (String::new(), from);
    for (offset, size, declared) in fields {
        out += &gap(end, offset, size);
        out += &declared;
        end = offset + size;
    }
    out + &gap(end, size, 8)
}

/// Reserves the space before a field of this size, unless the compiler leaves it.
fn gap(begin: i64, end: i64, size: i64) -> String {
    let up = |offset: i64, to: i64| (offset + to - 1) / to * to;
    let alignment = [8, 4, 2].into_iter().find(|alignment| size % alignment == 0).unwrap_or(1);
    // Arrays and structs of characters are not aligned to their sizes.
    let natural = up(begin, alignment);
    if begin == end || natural == end && end - begin < 8 {
        return String::new();
    }
    reserved(up(begin, 4), end)
}

/// Text that is other text on Windows.
pub fn either(linux: &str, windows: &str) -> String {
    match linux == windows {
        true => linux.to_owned(),
        false => format!("#ifdef _WIN32\n{windows}#else\n{linux}#endif\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_that_the_compiler_leaves_is_not_reserved() {
        assert_eq!(gap(20, 24, 8), "");
        assert_eq!(gap(96, 96, 8), "");
        assert_eq!(gap(104, 112, 8), "    void *uv_reserved_104[1];\n");
        assert_eq!(gap(1357, 1368, 8), "    void *uv_reserved_1360[1];\n");
        assert_eq!(either("a", "a"), "a");
        assert_eq!(either("a\n", "b\n"), "#ifdef _WIN32\nb\n#else\na\n#endif\n");
    }
}

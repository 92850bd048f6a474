//! Measures a header with a C compiler: sizes, alignments and offsets, and the values of macros.
//!
//! The program is compiled to assembly and not run, so that the compiler may be one for another
//! platform. Each fact is an operand of an `asm` statement, which prints it as a line of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::generate::{maintained, text};

/// Which fields are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// All, which only libuv's header has.
    All,
    /// Those that our header names.
    Maintained,
}

/// The numbers of a platform. A type has its size and its alignment, a field its offset and its size.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub types: BTreeMap<String, [i64; 2]>,
    /// By the names of the type and of the field.
    pub fields: BTreeMap<(String, String), [i64; 2]>,
    pub macros: BTreeMap<String, i64>,
}

/// Internal types of libuv that our header does not have.
const INTERNAL: &[&str] = &["uv__dirent_t", "struct uv__queue", "struct uv__work"];

/// Marks the lines of the assembly that hold facts.
const MARK: &str = "@fact";

/// Measures the header in `include`.
pub fn measure(
    mut compiler: Command,
    include: &Path,
    fields: Fields,
    layout: &Value,
    constants: &Value,
) -> Result<Facts, String> {
    compiler.args(["-std=gnu11", "-S", "-o", "-", "-x", "c"]).arg("-I").arg(include).arg("-");
    compiler.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let name = compiler.get_program().to_string_lossy().into_owned();
    let mut child = compiler.spawn().map_err(|e| format!("{name}: {e}"))?;
    let mut input = child.stdin.take().expect("a pipe");
    let program = program(fields, layout, constants);
    // The compiler reads all of its input before it writes.
    input.write_all(program.as_bytes()).map_err(|e| format!("{name}: {e}"))?;
    drop(input);
    let output = child.wait_with_output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// The C program.
fn program(fields: Fields, layout: &Value, constants: &Value) -> String {
    let mut out = String::from("#include <uv.h>\n#include <stddef.h>\n");
    let _ = writeln!(
        out,
        "#define FACT(what, one, two) \
         __asm__ volatile(\"\\n{MARK} \" what \" %0 %1\\n\" : : \"i\"(one), \"i\"(two))"
    );
    out += "void measure(void) {\n";
    for (name, kind) in layout["types"].as_object().expect("a map of types") {
        if fields == Fields::Maintained && INTERNAL.contains(&name.as_str()) {
            continue;
        }
        let key = key(name);
        let _ = writeln!(out, "FACT(\"type {key} -\", sizeof({name}), _Alignof({name}));");
        for field in kind["fields"].as_array().into_iter().flatten() {
            if fields == Fields::Maintained && !maintained::field(name, kind, field) {
                continue;
            }
            let field = text(&field["name"]);
            let size = format!("sizeof((({name} *)0)->{field})");
            let _ =
                writeln!(out, "FACT(\"field {key} {field}\", offsetof({name}, {field}), {size});");
        }
    }
    let macros = constants["macros"].as_object().expect("a map of macros");
    for (name, _) in macros.iter().filter(|(_, value)| value.is_number()) {
        let _ = writeln!(out, "FACT(\"macro {name} -\", {name}, 0);");
    }
    out + "}\n"
}

/// The name of a type without spaces, so that the facts can be split at spaces.
fn key(name: &str) -> String {
    name.replace(' ', ":")
}

fn parse(assembly: &str) -> Result<Facts, String> {
    let mut facts = Facts::default();
    for line in assembly.lines().filter_map(|line| line.trim().strip_prefix(MARK)) {
        let wrong = || format!("the compiler wrote {line:?}");
        let parts: Vec<&str> = line.split_whitespace().collect();
        let &[kind, of, field, one, two] = parts.as_slice() else { return Err(wrong()) };
        let of = of.replace(':', " ");
        // Some assemblers mark constants.
        let digits = |text: &str| text.trim_start_matches(['$', '#']).to_owned();
        let number = |text: &str| digits(text).parse::<i64>().map_err(|_| wrong());
        let pair = [number(one)?, number(two)?];
        match kind {
            "type" => drop(facts.types.insert(of, pair)),
            "field" => drop(facts.fields.insert((of, field.to_owned()), pair)),
            _ => drop(facts.macros.insert(of, pair[0])),
        }
    }
    if facts.types.is_empty() { Err("the compiler wrote no facts".to_owned()) } else { Ok(facts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_assembly() {
        let assembly = "main:\n\tnop\n@fact type struct:uv__queue - 16 8\n#NO_APP\n\
                        @fact field uv_loop_t data $0 $8\n@fact macro UV_PRIORITY_LOW - -19 0\n";
        let facts = parse(assembly).expect("facts");
        assert_eq!(facts.types["struct uv__queue"], [16, 8]);
        assert_eq!(facts.fields[&("uv_loop_t".to_owned(), "data".to_owned())], [0, 8]);
        assert_eq!(facts.macros["UV_PRIORITY_LOW"], -19);
        assert!(parse("@fact type uv_loop_t - sizeof 8\n").is_err());
        assert!(parse("\tret\n").is_err());
    }
}

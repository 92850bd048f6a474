//! Checks our headers for Windows: a program of assertions, made from the numbers in `abi/`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::generate::{load, maintained, number, text};
use crate::root;

/// The numbers.
const FILE: &str = "abi/layout-x86_64-windows.json";

/// Compiles the assertions with `compiler`. Returns how many there are.
pub fn check(compiler: &str) -> Result<usize, String> {
    let (program, count) = program(&load("abi/layout-x86_64-linux.json")?, &load(FILE)?);
    let mut gcc = Command::new(compiler);
    gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"]);
    gcc.arg("-I").arg(root().join("crates/mauve-uv/include"));
    compile(gcc, &program).map_err(|why| format!("{FILE}: {why}"))?;
    Ok(count)
}

fn compile(mut compiler: Command, program: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut child =
        compiler.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut input = child.stdin.take().expect("a pipe");
    // The compiler reads all of its input before it writes.
    input.write_all(program.as_bytes()).map_err(failed)?;
    drop(input);
    let output = child.wait_with_output().map_err(failed)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// The program, and the number of assertions.
fn program(linux: &Value, windows: &Value) -> (String, usize) {
    let mut out = String::from("#include <uv.h>\n#include <stddef.h>\n");
    let mut count = 0;
    let mut check = |actual: &str, expected: i64| {
        let _ = writeln!(out, "_Static_assert({actual} == {expected}, \"{actual}\");");
        count += 1;
    };
    for (name, numbers) in windows["types"].as_object().expect("a map of types") {
        check(&format!("sizeof({name})"), number(&numbers["size"]));
        check(&format!("_Alignof({name})"), number(&numbers["align"]));
        let kind = &linux["types"][name];
        let described = kind["fields"].as_array().into_iter().flatten();
        let described = described.filter(|field| maintained::on_windows(name, kind, field));
        let own = maintained::WINDOWS.iter().filter(|(of, _, _)| of == name);
        for field in described.map(|field| text(&field["name"])).chain(own.map(|own| own.1)) {
            if let Some(offset) = numbers["offsets"][field][0].as_i64() {
                check(&format!("offsetof({name}, {field})"), offset);
            }
        }
    }
    (out, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_header_has_the_layout_of_windows() {
        if !crate::windows::is_installed() {
            return;
        }
        let count = check(crate::windows::COMPILER).expect("all assertions hold");
        assert!(count > 200, "{count}");
    }

    #[test]
    fn sizes_and_offsets_become_assertions() {
        let windows = serde_json::json!({"types": {"uv_tcp_t": {
            "size": 320, "align": 8, "offsets": {"socket": [272, 8], "delayed_error": [280, 4]}
        }}});
        let (program, count) = program(&Value::Null, &windows);
        assert_eq!(count, 3);
        assert!(program.contains("_Static_assert(offsetof(uv_tcp_t, socket) == 272,"), "{program}");
    }
}

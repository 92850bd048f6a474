//! What platforms lack, and the tests and C programs that are not run because of it. All others must
//! pass. `xtask/cross/gaps.json` lists both: tests by their path in the test program, C programs by area
//! and name, tests of libuv by their name (`suite`), which this command does not run.

use serde_json::Value;

const ALL: &str = include_str!("../../cross/gaps.json");

pub const QEMU: &[&str] = &["qemu-user 7.2"];

/// The C library musl, compared with Debian's libuv on glibc.
pub const MUSL_AND_GLIBC: &[&str] = &["musl", "musl, compared with libuv on glibc"];

/// The C library musl, compared with libuv 1.53 on musl.
pub const MUSL: &[&str] = &["musl", "musl, compared with libuv on musl"];

/// Windows, under wine 8.
pub const WINDOWS: &[&str] = &["Windows", "wine 8"];

/// Prints what is not run of `part`, which is `rust` or `c`, and why. Returns the names.
pub fn skipped(lists: &[&str], part: &str) -> Vec<String> {
    let all: Value = serde_json::from_str(ALL).expect("gaps.json is valid");
    let mut skipped = Vec::new();
    for (what, gap) in lists.iter().flat_map(|list| all[list].as_object().expect("a list of gaps"))
    {
        let names = gap[part].as_array().into_iter().flatten().filter_map(Value::as_str);
        let names: Vec<String> = names.map(str::to_owned).collect();
        if !names.is_empty() {
            println!("skipped: {} ({what})", names.join(", "));
        }
        skipped.extend(names);
    }
    skipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_names_tests_and_programs_to_skip() {
        assert!(skipped(QEMU, "rust").len() > 5 && skipped(WINDOWS, "rust").len() > 5);
        for lists in [QEMU, MUSL_AND_GLIBC, MUSL] {
            assert!(skipped(lists, "c").len() > 5, "{lists:?}");
        }
    }
}

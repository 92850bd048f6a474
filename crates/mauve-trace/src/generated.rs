//! Names of code that a program generates, from the file that V8 writes for `perf`: with the options
//! `--perf-basic-prof` and `--interpreted-frames-native-stack`, `/tmp/perf-PID.map` has a line for each
//! function of JavaScript: address and size in hexadecimal, and the name.

use std::collections::BTreeMap;
use std::fs::{DirEntry, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve_sys::fork;

use crate::Name;

/// Set by the command that has turned V8's options on. The file is then removed once it is open.
pub const VARIABLE: &str = "MAUVE_PERF_MAP";

/// Options of Node that make V8 write the file, with a frame of its own for each interpreted function.
pub const NODE_OPTIONS: &str = "--perf-basic-prof --interpreted-frames-native-stack";

/// The file that V8 writes for a process.
pub fn file_of(process: u32) -> PathBuf {
    PathBuf::from(format!("/tmp/perf-{process}.map"))
}

/// Opens a file that a process has open. It may have been removed.
fn open_file_of(process: u32, path: &Path) -> Option<File> {
    let is_file = |entry: &DirEntry| {
        let target = std::fs::read_link(entry.path()).unwrap_or_default().into_os_string();
        let target = target.as_encoded_bytes();
        let name = target.strip_suffix(b" (deleted)").unwrap_or(target);
        name == path.as_os_str().as_encoded_bytes()
    };
    let mut descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.flatten();
    File::open(descriptors.find(is_file)?.path()).ok()
}

/// The generated code of this process. The watchdog and the sampler share it, because a file that was
/// removed cannot be opened again.
static CODE: fork::PerProcess<Mutex<GeneratedCode>> = fork::PerProcess::new();

/// The functions so far. The file is read on as V8 writes to it.
#[derive(Default)]
pub struct GeneratedCode {
    file: Option<BufReader<File>>,
    /// A line that was not complete.
    partial: String,
    /// By their first address. They do not overlap.
    functions: BTreeMap<u64, Function>,
}

struct Function {
    end: u64,
    /// `None` for a part of V8.
    name: Option<Name>,
}

/// What is known of an address in generated code.
#[derive(Debug, PartialEq, Eq)]
pub enum Generated<'a> {
    /// A function of JavaScript.
    Function(&'a Name),
    /// A part of V8, between the functions of the program.
    Builtin,
}

impl GeneratedCode {
    /// The code of this process, with what was written since the last call.
    pub(crate) fn current() -> MutexGuard<'static, Self> {
        let code = CODE.get_or_init(Mutex::default);
        let mut code = code.lock().unwrap_or_else(PoisonError::into_inner);
        code.update();
        code
    }

    /// The code of another process. It may have removed the file, but keeps it open.
    pub fn of(process: u32) -> Self {
        let file = open_file_of(process, &file_of(process)).map(BufReader::new);
        let mut code = Self { file, ..Self::default() };
        if code.file.is_some() {
            code.update();
        }
        code
    }

    /// Opens the file if it exists.
    fn open(&mut self) {
        let path = file_of(std::process::id());
        self.file = File::open(&path).ok().map(BufReader::new);
        if self.file.is_some() && mauve_sys::os::process::secure_variable(VARIABLE).is_some() {
            // A file that remains is of no use to a user who has not requested it.
            let _ = std::fs::remove_file(path);
        }
    }

    fn update(&mut self) {
        if self.file.is_none() {
            self.open();
        }
        while let Some(file) = &mut self.file
            && file.read_line(&mut self.partial).is_ok_and(|length| length > 0)
        {
            if self.partial.ends_with('\n') {
                let line = std::mem::take(&mut self.partial);
                if let Some((begin, function)) = parse(line.trim_end()) {
                    self.insert(begin, function);
                }
            }
        }
    }

    /// Inserts a function, and removes those whose memory it uses.
    fn insert(&mut self, begin: u64, function: Function) {
        while let Some((&last, old)) = self.functions.range(..function.end).next_back()
            && old.end > begin
        {
            self.functions.remove(&last);
        }
        self.functions.insert(begin, function);
    }

    /// Whether there are names.
    pub fn is_known(&self) -> bool {
        !self.functions.is_empty()
    }

    /// The function at an address.
    pub fn find(&self, address: u64) -> Option<Generated<'_>> {
        let (_, function) = self.functions.range(..=address).next_back()?;
        let name = function.name.as_ref();
        (address < function.end).then(|| name.map_or(Generated::Builtin, Generated::Function))
    }
}

fn parse(line: &str) -> Option<(u64, Function)> {
    let mut words = line.splitn(3, ' ');
    let mut number = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
    let (begin, size) = (number()?, number()?);
    Some((begin, Function { end: begin.checked_add(size)?, name: function_name(words.next()?) }))
}

/// `JS:~poll /app/hang.js:3:14` is `poll` in line 3.
fn function_name(text: &str) -> Option<Name> {
    let (_, function) = text.split_once(':').filter(|(kind, _)| is_javascript(kind))?;
    let (function, location) = split_location(without_mark(function));
    Some(script_name(function, location))
}

/// Removes the mark that tells interpreted code from compiled: one of `~^+*`, after an `o` if the code was
/// entered in the middle of a loop, and followed by a `'` if it is for one closure.
fn without_mark(function: &str) -> &str {
    const MARKS: [char; 4] = ['~', '^', '+', '*'];
    let marked = function.strip_prefix('o').unwrap_or(function);
    match marked.strip_prefix(MARKS) {
        Some(rest) => rest.strip_prefix('\'').unwrap_or(rest),
        None => function,
    }
}

/// Splits `get size /app/my list.js:3:14` into name and location. Both may contain spaces.
fn split_location(function: &str) -> (&str, &str) {
    const BEGINNINGS: [&str; 4] = [" /", " file:", " node:", " ["];
    let known = BEGINNINGS.iter().filter_map(|beginning| function.find(beginning)).min();
    match known.or_else(|| function.find(' ')) {
        Some(space) => (&function[..space], &function[space + 1..]),
        None => (function, ""),
    }
}

/// The name in a line of a stack of JavaScript: `poll (/app/hang.js:3:14)`.
pub fn script_frame(line: &str) -> Name {
    let (function, location) = line.split_once(" (").unwrap_or(("", line));
    // QuickJS does not know the location in a loop without calls.
    script_name(function, location.trim_end_matches(')').trim_start_matches("missing"))
}

/// The name of a function of JavaScript. `location` is `file:line:column` or `file:line`.
pub(crate) fn script_name(function: &str, location: &str) -> Name {
    let function = if function.is_empty() { "(anonymous)" } else { function }.to_owned();
    // The file, the line and the column, or without the column.
    let (rest, last) = number_after(location);
    let (file, line) = match number_after(rest) {
        (file, Some(line)) if last.is_some() => (file, Some(line)),
        _ => (rest, last),
    };
    let file = file.trim_start_matches("file://").to_owned();
    Name { function, file: Some(file).filter(|file| !file.is_empty()), line }
}

/// What is before the last colon, and the number behind it.
fn number_after(text: &str) -> (&str, Option<u32>) {
    let parts = text.rsplit_once(':').and_then(|(rest, number)| Some((rest, number.parse().ok()?)));
    parts.map_or((text, None), |(rest, number)| (rest, Some(number)))
}

fn is_javascript(kind: &str) -> bool {
    matches!(kind, "JS" | "Function" | "LazyCompile" | "InterpretedFunction" | "Script" | "Eval")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_v8_are_named_as_users_wrote_them() {
        let (begin, function) =
            parse("7f12a0 40 JS:~poll /app/my hang.js:3:14").expect("a function");
        assert_eq!((begin, function.end), (0x7f12a0, 0x7f12e0));
        let shown = |text: &str| function_name(text).map(|name| name.to_string());
        assert_eq!(function.name.expect("a name").to_string(), "poll (/app/my hang.js:3)");
        assert_eq!(
            shown("JS:* file:///app/x.mjs:1:1").as_deref(),
            Some("(anonymous) (/app/x.mjs:1)")
        );
        assert_eq!(shown("JS:~emit node:events:465:44").as_deref(), Some("emit (node:events:465)"));
        for marked in ["poll", "~poll", "^poll", "+poll", "*'poll", "o*poll", "o+'poll"] {
            let text = format!("JS:{marked} /app/hang.js:3:14");
            assert_eq!(shown(&text).as_deref(), Some("poll (/app/hang.js:3)"), "{text}");
        }
        assert_eq!(shown("JS:*open [eval]:1:1").as_deref(), Some("open ([eval]:1)"));
        assert_eq!(
            shown("JS:~get size /app/my list.js:3:14").as_deref(),
            Some("get size (/app/my list.js:3)")
        );
        assert_eq!(script_frame("poll (hang.js:3:14)").to_string(), "poll (hang.js:3)");
        assert_eq!(script_frame("/app/x.js:7").to_string(), "(anonymous) (/app/x.js:7)");
        assert_eq!(script_frame("spin (missing)").to_string(), "spin");
        assert_eq!(script_frame("parse (native)").to_string(), "parse (native)");
        assert_eq!(shown("JS:^wasm-function[3]").as_deref(), Some("wasm-function[3]"));
        assert_eq!(shown("Builtin:ArrayMap"), None);
        assert!(parse("7f12a0 40").is_none() && parse("no numbers here").is_none());
    }

    #[test]
    fn a_file_that_was_removed_is_read_while_it_is_open() {
        let process = std::process::id();
        let path = std::env::temp_dir().canonicalize().expect("a folder");
        let path = path.join(format!("mauve-generated-{process}.map"));
        let file = File::create(&path).expect("a file");
        let is_found = || open_file_of(process, &path).is_some();
        assert!(is_found());
        std::fs::remove_file(&path).expect("removed");
        assert!(is_found());
        drop(file);
        assert!(!is_found());
    }

    #[test]
    fn memory_that_is_used_again_has_the_newest_name() {
        let mut code = GeneratedCode::default();
        for line in ["1000 10 JS:~old a.js:1:1", "1020 10 Builtin:Call", "0ff8 18 JS:~new b.js:2:2"]
        {
            let (begin, function) = parse(line).expect("a function");
            code.insert(begin, function);
        }
        let Some(Generated::Function(name)) = code.find(0x100f) else { panic!("a function") };
        assert_eq!(name.to_string(), "new (b.js:2)");
        assert_eq!(code.find(0x1010), None);
        assert_eq!(code.find(0x1020), Some(Generated::Builtin));
        assert_eq!(code.functions.len(), 2);
    }
}

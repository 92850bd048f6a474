//! The name of a function.

/// The name of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// The function, or module+offset if it is not known.
    pub function: String,
    /// The source file.
    pub file: Option<String>,
    /// The line in it, from one on.
    pub line: Option<u32>,
}

impl Name {
    /// The function, the file and the line, each on one line.
    pub fn to_lines(&self) -> String {
        let (file, line) = (self.file.as_deref().unwrap_or_default(), self.line.unwrap_or(0));
        format!("{}\n{file}\n{line}", self.function)
    }

    /// The inverse of [`to_lines`](Self::to_lines).
    pub fn from_lines(text: &str) -> Self {
        let mut lines = text.lines();
        let function = lines.next().unwrap_or_default().to_owned();
        let file = lines.next().filter(|file| !file.is_empty()).map(str::to_owned);
        let line = lines.next().and_then(|line| line.parse().ok()).filter(|line| *line > 0);
        Self { function, file, line }
    }
}

impl Name {
    /// The function, for people: that of C++ without return type, parameters and template arguments, which may
    /// have a thousand characters. `a::B::c` of `void a::B<int>::c(char*)`.
    pub fn short(&self) -> String {
        let is_cpp = self.function.contains("::") && self.function.contains('(');
        let short = is_cpp.then(|| short_cpp(&self.function)).flatten();
        short.unwrap_or_else(|| self.function.clone())
    }
}

/// None for what this does not understand.
fn short_cpp(function: &str) -> Option<String> {
    let (function, _) = function.split_once(" [clone").unwrap_or((function, ""));
    // Operators whose names have brackets.
    if ["operator<", "operator>", "operator-"].iter().any(|name| function.contains(name)) {
        return None;
    }
    let mut open = Vec::new();
    let mut short = String::new();
    for c in function.replace("(anonymous namespace)::", "").replace(" const::", "::").chars() {
        match c {
            '(' | '<' => open.push(c),
            ')' if open.pop() != Some('(') => return None,
            '>' if open.pop() != Some('<') => return None,
            ')' | '>' => {}
            _ if open.is_empty() => short.push(c),
            _ => {}
        }
    }
    let name = short.trim_end_matches(" const").rsplit(' ').next()?;
    // The function that a lambda without captures becomes.
    let lambda = name.strip_suffix("::_FUN").or_else(|| name.strip_suffix("::__invoke"));
    let name = lambda.unwrap_or(name);
    let is_known = open.is_empty() && !name.is_empty() && !short.contains("operator");
    is_known.then(|| name.to_owned())
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short())?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " ({file}:{line})"),
            (Some(file), None) => write!(f, " ({file})"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cpp_are_short() {
        for (function, short) in [
            ("node::Environment::RunTimers(uv_timer_s*)", "node::Environment::RunTimers"),
            (
                "void a::B<int, c::D::e(f<g> const&)::{lambda(h)#1}>::run<i>(j*) const::\
                 {lambda(uv_async_s*)#2}::_FUN(uv_async_s*)",
                "a::B::run::{lambda#2}",
            ),
            (
                "void node::Environment::CloseHandle<uv_async_s, node::Agent::Start(bool)::{lambda(void*)#1}>\
                 (uv_async_s*)::{lambda(uv_handle_s*)#1}::_FUN(uv_handle_s*)",
                "node::Environment::CloseHandle::{lambda#1}",
            ),
            (
                "void a::Close<b, c::{lambda(b*)#1}::operator()(b*) const::{lambda(b*)#1}>(b*, c::{lambda(b*)#1}\
                 ::operator()(b*) const::{lambda(b*)#1})::{lambda(b*)#1}::_FUN(b*)",
                "a::Close::{lambda#1}",
            ),
            ("a::B<&c::operator< <int> >::d(int)", "a::B<&c::operator< <int> >::d(int)"),
            (
                "node::(anonymous namespace)::ProcessWrap::OnExit(uv_process_s*, long, int)",
                "node::ProcessWrap::OnExit",
            ),
            ("node::Buffer::size() const", "node::Buffer::size"),
            ("a::read(int) [clone .isra.0]", "a::read"),
            // What is not C++, or not understood, stays.
            ("on_read", "on_read"),
            ("handle", "handle"),
            ("server::main::{{closure}}", "server::main::{{closure}}"),
            (
                "<core::iter::Map<I, F> as Iterator>::next",
                "<core::iter::Map<I, F> as Iterator>::next",
            ),
            ("a::operator()(int) const", "a::operator()(int) const"),
            ("a::b(c", "a::b(c"),
        ] {
            let name = Name { function: function.to_owned(), ..Name::default() };
            assert_eq!(name.short(), short);
        }
    }
}

//! Finds the names that a CommonJS module exports, from its text.
//!
//! An ES module that imports a CommonJS module is linked before any of them runs, so the names must be
//! known by then. The recognised forms are those that Node recognises: assignments to a property of
//! `exports`, an object literal for `module.exports`, `Object.defineProperty` with a value or a plain
//! getter, and what compilers emit to export all names of another module. Unlike the language, this
//! takes no notice of scopes: an assignment in a function that never runs counts.

use super::scan::{Scanner, Token};

/// What a module exports: names, and the modules all of whose names it exports too.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CjsExports {
    pub names: Vec<String>,
    pub reexports: Vec<String>,
}

impl CjsExports {
    pub fn find(source: &str) -> Self {
        let mut found = Self::default();
        found.search(source);
        found
    }

    fn search(&mut self, source: &str) {
        let text = Text { tokens: Scanner::script(source).collect() };
        let mut depth = 0_usize;
        // The modules in variables, as `var name = require('module')`.
        let mut required: Vec<(&str, &str)> = Vec::new();
        for at in 0..text.tokens.len() {
            match text.get(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "exports" | "module" => self.assignment(&text, at),
                "Object"
                    if text.is_start(at) && text.follow(at + 1, &[".", "defineProperty", "("]) =>
                {
                    self.defined_property(&text, at + 4);
                }
                "Object" if depth == 0 && text.follow(at + 1, &[".", "keys", "("]) => {
                    self.copied_properties(&text, at + 4, &required);
                }
                "__exportStar" | "__export" if depth == 0 && text.get(at + 1) == "(" => {
                    self.reexports.extend(text.required(at + 2).map(str::to_owned));
                }
                "require" => required.extend(text.bound_require(at)),
                template if template.starts_with('`') => self.substitutions(template),
                _ => {}
            }
        }
    }

    /// `exports.name =`, `exports['name'] =` and `module.exports =`.
    fn assignment(&mut self, text: &Text<'_>, at: usize) {
        let Some(after) = text.exports(at) else { return };
        match text.get(after) {
            "." if is_identifier(text.get(after + 1)) && text.get(after + 2) == "=" => {
                self.names.push(text.get(after + 1).to_owned());
            }
            "[" if text.follow(after + 2, &["]", "="]) => {
                self.names.extend(string(text.get(after + 1)).map(str::to_owned));
            }
            "=" if text.get(at) == "module" => {
                self.reexports.clear();
                match text.get(after + 1) {
                    "{" => self.object(text, after + 2),
                    _ => self.reexports.extend(text.required(after + 1).map(str::to_owned)),
                }
            }
            _ => {}
        }
    }

    /// The properties of an object literal, up to the first whose value is more than a name.
    fn object(&mut self, text: &Text<'_>, mut at: usize) {
        loop {
            if text.follow(at, &[".", ".", "."]) {
                at += 3;
                match text.required(at) {
                    Some(module) => {
                        self.reexports.push(module.to_owned());
                        at += 4;
                    }
                    None if is_identifier(text.get(at)) => at += 1,
                    None => return,
                }
            } else {
                let key = text.get(at);
                let is_name = is_identifier(key);
                let has_value = text.get(at + 1) == ":";
                let Some(name) = string(key).or(is_name.then_some(key)) else { return };
                if (has_value && !is_identifier(text.get(at + 2))) || !(has_value || is_name) {
                    return;
                }
                if key == "get" && is_identifier(text.get(at + 1)) {
                    return;
                }
                self.names.push(name.to_owned());
                if let Some(module) = has_value.then(|| text.required(at + 2)).flatten() {
                    self.reexports.push(module.to_owned());
                    return;
                }
                at += if has_value { 3 } else { 1 };
            }
            if text.get(at) != "," {
                return;
            }
            at += 1;
        }
    }

    /// The arguments of `Object.defineProperty`: a value, or a getter that returns a variable or a
    /// property of one.
    fn defined_property(&mut self, text: &Text<'_>, at: usize) {
        let Some(after) = text.exports(at) else { return };
        let Some(name) = string(text.get(after + 1)) else { return };
        if text.get(after) != "," || !text.follow(after + 2, &[",", "{"]) {
            return;
        }
        let mut at = after + 4;
        if text.follow(at, &["enumerable", ":", "true", ","]) {
            at += 4;
        }
        if text.follow(at, &["value", ":"]) || text.is_plain_getter(at) {
            self.names.push(name.to_owned());
        }
    }

    /// `Object.keys(name).forEach(function (key) { … exports[key] = name[key]; })`, where `name` is a
    /// module, and the function excludes 'default'.
    fn copied_properties(&mut self, text: &Text<'_>, at: usize, required: &[(&str, &str)]) {
        let (name, key) = (text.get(at), text.get(at + 7));
        let Some((_, module)) = required.iter().rev().find(|(variable, _)| *variable == name)
        else {
            return;
        };
        if !text.follow(at + 1, &[")", ".", "forEach", "(", "function", "("])
            || !text.follow(at + 8, &[")", "{", "if", "(", key])
        {
            return;
        }
        let body = at + 10..text.close(at + 10);
        let excludes = body
            .clone()
            .any(|at| text.follow(at, &["'default'"]) || text.follow(at, &["\"default\""]));
        let is_complete = body.clone().any(|at| text.follow(at, &["!", "=", "="]))
            || body.clone().any(|at| string(text.get(at)) == Some("__esModule"));
        let copies = body.clone().any(|at| {
            text.follow(at, &["exports", "[", key, "]", "=", name, "[", key, "]"])
                || text.follow(at, &["defineProperty", "(", "exports", ",", key, ","])
        });
        if excludes && is_complete && copies {
            self.reexports.push((*module).to_owned());
        }
    }

    /// The expressions in a template.
    fn substitutions(&mut self, template: &str) {
        let mut at = 0;
        while let Some(found) = template[at..].find("${") {
            let start = at + found + 2;
            let Some(end) = Scanner::new(template, start).skip_to_close(|_, _| {}) else { return };
            self.search(&template[start..end]);
            at = end;
        }
    }
}

struct Text<'s> {
    tokens: Vec<Token<'s>>,
}

impl<'s> Text<'s> {
    /// The token at a position, empty after the last one.
    fn get(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn follow(&self, at: usize, expected: &[&str]) -> bool {
        expected.iter().enumerate().all(|(offset, token)| self.get(at + offset) == *token)
    }

    /// Whether the name at a position is a variable, not a property.
    fn is_start(&self, at: usize) -> bool {
        at == 0 || self.get(at - 1) != "."
    }

    /// The position after `exports` or `module.exports`.
    fn exports(&self, at: usize) -> Option<usize> {
        match self.get(at) {
            _ if !self.is_start(at) => None,
            "exports" => Some(at + 1),
            "module" if self.follow(at + 1, &[".", "exports"]) => Some(at + 3),
            _ => None,
        }
    }

    /// The module of `require('module')`.
    fn required(&self, at: usize) -> Option<&'s str> {
        let module = string(self.get(at + 2))?;
        (self.follow(at, &["require", "("]) && self.get(at + 3) == ")").then_some(module)
    }

    /// The variable to which the module of the `require` at a position is assigned, and the module.
    fn bound_require(&self, at: usize) -> Option<(&'s str, &'s str)> {
        let module = self.required(at)?;
        let is_wrapped = at >= 2 && self.follow(at - 2, &["_interopRequireWildcard", "("]);
        let equals = at.checked_sub(if is_wrapped { 3 } else { 1 })?;
        (self.get(equals) == "=" && equals > 0).then(|| (self.get(equals - 1), module))
    }

    /// `get: function () { return a.b; }` or `get() { return a.b; }`, which must end the object.
    fn is_plain_getter(&self, mut at: usize) -> bool {
        if self.get(at) != "get" {
            return false;
        }
        at += 1;
        if self.follow(at, &[":", "function"]) {
            at += 2;
            at += usize::from(is_identifier(self.get(at)));
        }
        if !self.follow(at, &["(", ")", "{", "return"]) || !is_identifier(self.get(at + 4)) {
            return false;
        }
        at += 5;
        if self.get(at) == "." && is_identifier(self.get(at + 1)) {
            at += 2;
        } else if self.get(at) == "["
            && string(self.get(at + 1)).is_some()
            && self.get(at + 2) == "]"
        {
            at += 3;
        }
        at += usize::from(self.get(at) == ";");
        if self.get(at) != "}" {
            return false;
        }
        at += 1;
        at += usize::from(self.get(at) == ",");
        self.follow(at, &["}", ")"])
    }

    /// The position of the bracket that closes the one before `at`.
    fn close(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for (offset, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => return offset,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        self.tokens.len()
    }
}

fn is_identifier(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$'))
}

/// The content of a string. One with escapes is not recognised.
fn string(token: &str) -> Option<&str> {
    let quote = token.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let content = token.strip_prefix(quote)?.strip_suffix(quote)?;
    (!content.contains('\\')).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::CjsExports;

    fn find(source: &str) -> (String, String) {
        let CjsExports { names, reexports } = CjsExports::find(source);
        (names.join(" "), reexports.join(" "))
    }

    #[test]
    fn assignments_and_literals_are_found() {
        let text =
            "exports.a = exports['b'] = 1; module.exports.c = 2; x.exports.d = 3; exports.e(4);";
        assert_eq!(find(text).0, "a b c");
        let text = "module.exports = { a, b: c, ...require('d'), 'e': f, g: 1, h };";
        assert_eq!(find(text), ("a b e".into(), "d".into()));
    }

    #[test]
    fn the_last_assignment_to_module_exports_decides_about_other_modules() {
        let text = "module.exports = require('a'); __exportStar(require('b'), exports);";
        assert_eq!(find(text).1, "a b");
        assert_eq!(find(&format!("{text} module.exports = {{}};")).1, "");
    }

    #[test]
    fn incomplete_text_is_searched_up_to_its_end() {
        for text in
            ["exports.a = 1; exports", "exports.a = 1; module.", "exports.a = 1; Object.keys("]
        {
            assert_eq!(find(text).0, "a", "{text}");
        }
    }
}

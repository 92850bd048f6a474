//! The tokens of JavaScript text, as far as they are needed to find matching brackets.

/// A word, a number, or one character of punctuation. Strings, templates and regular expressions are
/// one token. Comments and spaces are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub text: &'s str,
    /// The position after the token.
    pub end: usize,
}

/// Keywords before a condition in parentheses, after which a statement starts.
const BEFORE_CONDITION: &[&str] = &["if", "while", "for", "with"];

/// Keywords before an expression: a slash after them starts a regular expression.
const BEFORE_EXPRESSION: &[&str] = &[
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "instanceof",
    "new",
    "do",
    "else",
    "throw",
    "await",
    "yield",
];

pub(crate) struct Scanner<'s> {
    source: &'s str,
    at: usize,
    /// Whether a slash is a division, because it follows an operand.
    after_operand: bool,
    /// Whether the last token is a keyword before a condition.
    before_condition: bool,
    /// For each open parenthesis, whether it starts a condition.
    parentheses: Vec<bool>,
}

impl<'s> Scanner<'s> {
    pub fn new(source: &'s str, at: usize) -> Self {
        Self { source, at, after_operand: false, before_condition: false, parentheses: Vec::new() }
    }

    /// The tokens of a whole script, without its hashbang.
    pub fn script(source: &'s str) -> Self {
        let is_hashbang = source.starts_with("#!");
        Self::new(source, if is_hashbang { source.find('\n').unwrap_or(source.len()) } else { 0 })
    }

    /// Skips to the bracket that closes the one just read, and returns its position. Calls `visit`
    /// for each token before it, with the number of brackets around it.
    pub fn skip_to_close(&mut self, mut visit: impl FnMut(&Token<'s>, usize)) -> Option<usize> {
        let mut depth = 0;
        loop {
            let token = self.next()?;
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => return Some(token.end - 1),
                ")" | "]" | "}" => depth -= 1,
                _ => visit(&token, depth),
            }
        }
    }

    fn skip_space(&mut self) -> Option<()> {
        loop {
            let rest = &self.source[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            self.at += if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/")? + 2
            } else {
                return Some(());
            };
        }
    }

    /// The length of the template at the current position. Its substitutions may have templates.
    fn template(&self) -> Option<usize> {
        let mut at = self.at + 1;
        loop {
            let rest = &self.source[at..];
            at += rest.find(['`', '\\', '$'])?;
            match self.source[at..].chars().next()? {
                '`' => return Some(at + 1 - self.at),
                '\\' => at += 1 + self.source[at + 1..].chars().next()?.len_utf8(),
                _ if self.source[at..].starts_with("${") => {
                    let mut inner = Scanner::new(self.source, at + 2);
                    at = inner.skip_to_close(|_, _| {})? + 1;
                }
                _ => at += 1,
            }
        }
    }
}

impl<'s> Iterator for Scanner<'s> {
    type Item = Token<'s>;

    /// The next token; `None` at the end of the text, or if a string or comment does not end.
    fn next(&mut self) -> Option<Token<'s>> {
        let before = self.at;
        self.skip_space()?;
        let rest = &self.source[self.at..];
        let first = rest.chars().next()?;
        // A slash at the start of a line after a block starts a statement.
        let space = &self.source[before..self.at];
        if self.source[..before].ends_with('}') && space.contains('\n') {
            self.after_operand = false;
        }
        let length = match first {
            '\'' | '"' => quoted(rest, first)?,
            '`' => self.template()?,
            '/' if !self.after_operand => regular_expression(rest).unwrap_or(1),
            letter if is_word(letter) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        let text = &rest[..length];
        self.at += length;
        if first == '(' {
            self.parentheses.push(self.before_condition);
        }
        self.before_condition = BEFORE_CONDITION.contains(&text);
        self.after_operand = match first {
            ')' => !self.parentheses.pop().unwrap_or(false),
            ']' | '}' | '\'' | '"' | '`' => true,
            '/' => length > 1,
            letter if is_word(letter) => !BEFORE_EXPRESSION.contains(&text),
            _ => false,
        };
        Some(Token { text, end: self.at })
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#')
}

/// The length of the string at the start of the text.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = true;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == quote && !escaped;
        escaped = letter == '\\' && !escaped && at > 0;
        ends.then_some(at + 1)
    })
}

/// The length of the regular expression at the start of the text, without flags. `None` if the line
/// has no end of one.
fn regular_expression(text: &str) -> Option<usize> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

//! Splits the arguments of `util.parseArgs` into tokens.

use std::collections::VecDeque;

use rquickjs::{Ctx, Object, Result};

/// An option of the caller: its name, its letter, and whether it takes a value.
struct Choice {
    name: String,
    short: Option<char>,
    takes_value: bool,
}

struct Choices(Vec<Choice>);

impl Choices {
    fn long_name(&self, short: char) -> String {
        let found = self.0.iter().find(|choice| choice.short == Some(short));
        found.map_or_else(|| short.to_string(), |choice| choice.name.clone())
    }

    fn takes_value(&self, name: &str) -> bool {
        self.0.iter().any(|choice| choice.name == name && choice.takes_value)
    }
}

/// `choices` has three texts for each option: its name, its letter or nothing, and "string" if it
/// takes a value.
pub(super) fn tokenize<'js>(
    ctx: Ctx<'js>,
    args: Vec<String>,
    choices: Vec<String>,
) -> Result<Vec<Object<'js>>> {
    let choice = |parts: &[String]| Choice {
        name: parts[0].clone(),
        short: parts[1].chars().next(),
        takes_value: parts[2] == "string",
    };
    let choices = Choices(choices.chunks_exact(3).map(choice).collect());
    let mut scan = Scan { ctx, rest: args.into(), index: -1, tokens: Vec::new() };
    let mut group_left = 0;
    while let Some(arg) = scan.rest.pop_front() {
        if group_left > 0 {
            group_left -= 1;
        } else {
            scan.index += 1;
        }
        let mut chars = arg.chars();
        let is_option = chars.next() == Some('-') && arg.len() > 1;
        match (chars.next(), chars.as_str()) {
            (Some('-'), "") if is_option => {
                scan.rest_after_terminator()?;
                break;
            }
            (Some('-'), long) if is_option => {
                match long.char_indices().skip(1).find(|found| found.1 == '=') {
                    Some((at, _)) => {
                        let (name, value) = (&long[..at], &long[at + 1..]);
                        scan.option(name, &format!("--{name}"), Some(value), Some(true))?;
                    }
                    None => scan.option_with_next(long, &arg, choices.takes_value(long))?,
                }
            }
            (Some(short), "") if is_option => {
                let name = choices.long_name(short);
                let takes_next = group_left == 0 && choices.takes_value(&name);
                scan.option_with_next(&name, &arg, takes_next)?;
            }
            (Some(short), value) if is_option => {
                let name = choices.long_name(short);
                if choices.takes_value(&name) {
                    scan.option(&name, &format!("-{short}"), Some(value), Some(true))?;
                } else {
                    // The group itself has this index; its members do not advance it.
                    let members = expand_group(&arg[1..], &choices);
                    group_left = members.len();
                    members.into_iter().rev().for_each(|member| scan.rest.push_front(member));
                }
            }
            _ => scan.positional(arg)?,
        }
    }
    Ok(scan.tokens)
}

/// Splits a group of short options (`-abc`). One that takes a value ends the group.
fn expand_group(letters: &str, choices: &Choices) -> Vec<String> {
    let mut members = Vec::new();
    for (at, short) in letters.char_indices() {
        let is_last = at + short.len_utf8() == letters.len();
        if !is_last && choices.takes_value(&choices.long_name(short)) {
            members.push(format!("-{}", &letters[at..]));
            break;
        }
        members.push(format!("-{short}"));
    }
    members
}

struct Scan<'js> {
    ctx: Ctx<'js>,
    rest: VecDeque<String>,
    index: i32,
    tokens: Vec<Object<'js>>,
}

impl<'js> Scan<'js> {
    fn push(&mut self, kind: &str, fill: impl FnOnce(&Object<'js>) -> Result<()>) -> Result<()> {
        let token = Object::new(self.ctx.clone())?;
        token.set("kind", kind)?;
        fill(&token)?;
        self.tokens.push(token);
        Ok(())
    }

    fn positional(&mut self, value: String) -> Result<()> {
        let index = self.index;
        self.push("positional", |token| {
            token.set("index", index)?;
            token.set("value", value)
        })
    }

    fn rest_after_terminator(&mut self) -> Result<()> {
        let index = self.index;
        self.push("option-terminator", |token| token.set("index", index))?;
        while let Some(value) = self.rest.pop_front() {
            self.index += 1;
            self.positional(value)?;
        }
        Ok(())
    }

    /// An option whose value, if it takes one, is the next argument.
    fn option_with_next(&mut self, name: &str, raw: &str, takes_next: bool) -> Result<()> {
        let next = if takes_next { self.rest.pop_front() } else { None };
        self.option(name, raw, next.as_deref(), next.as_ref().map(|_| false))?;
        self.index += i32::from(next.is_some());
        Ok(())
    }

    fn option(
        &mut self,
        name: &str,
        raw: &str,
        value: Option<&str>,
        inline: Option<bool>,
    ) -> Result<()> {
        let index = self.index;
        self.push("option", |token| {
            token.set("name", name)?;
            token.set("rawName", raw)?;
            token.set("index", index)?;
            token.set("value", value)?;
            token.set("inlineValue", inline)
        })
    }
}

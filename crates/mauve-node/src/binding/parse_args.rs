//! `util.parseArgs`: checks the settings, splits the arguments into tokens, and stores their values.

use rquickjs::{Array, Ctx, Function, IntoJs, Object, Result, Value};

use super::arguments;
use crate::host::text::Text;

/// A coded error that JavaScript throws, or an exception.
enum Failure<'js> {
    Coded(&'static str, Vec<Value<'js>>),
    Thrown(rquickjs::Error),
}

impl From<rquickjs::Error> for Failure<'_> {
    fn from(error: rquickjs::Error) -> Self {
        Self::Thrown(error)
    }
}

type Checked<'js, T> = std::result::Result<T, Failure<'js>>;

/// Returns `[error, result]`. The error is a code with the arguments of its message.
pub(super) fn parse<'js>(
    ctx: Ctx<'js>,
    given: Object<'js>,
    default_args: Function<'js>,
) -> Result<Array<'js>> {
    let pair = Array::new(ctx.clone())?;
    match parse_checked(&ctx, &given, &default_args) {
        Ok(result) => pair.set(1, result)?,
        Err(Failure::Coded(code, args)) => {
            let error = Array::new(ctx)?;
            error.set(0, code)?;
            for (index, arg) in args.into_iter().enumerate() {
                error.set(index + 1, arg)?;
            }
            pair.set(0, error)?;
        }
        Err(Failure::Thrown(error)) => return Err(error),
    }
    Ok(pair)
}

/// The value of an own property, or undefined.
fn own<'js>(object: &Object<'js>, name: &str) -> Result<Value<'js>> {
    let class: Object<'js> = object.ctx().globals().get("Object")?;
    let has: bool = class.get::<_, Function<'js>>("hasOwn")?.call((object.clone(), name))?;
    if has { object.get(name) } else { Ok(Value::new_undefined(object.ctx().clone())) }
}

fn own_text<'js>(object: &Object<'js>, name: &str) -> Result<Option<String>> {
    own(object, name)?.into_string().map(|text| text.to_string()).transpose()
}

fn texts<'js>(ctx: &Ctx<'js>, list: &[&str]) -> Result<Vec<Value<'js>>> {
    list.iter().map(|text| text.into_js(ctx)).collect()
}

/// Fails unless a value is of a type, which is named in the message.
fn check<'js>(is_valid: bool, value: &Value<'js>, name: &str, expected: &str) -> Checked<'js, ()> {
    if is_valid {
        return Ok(());
    }
    let mut args = texts(value.ctx(), &[name, expected])?;
    args.push(value.clone());
    Err(Failure::Coded("ERR_INVALID_ARG_TYPE", args))
}

fn invalid_value<'js>(ctx: &Ctx<'js>, message: String) -> Failure<'js> {
    match message.into_js(ctx) {
        Ok(message) => Failure::Coded("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", vec![message]),
        Err(error) => Failure::Thrown(error),
    }
}

fn is_plain(value: &Value<'_>) -> bool {
    value.is_object() && !value.is_array() && !value.is_function()
}

fn check_options<'js>(options: &Object<'js>) -> Checked<'js, ()> {
    for entry in options.props::<String, Value<'js>>() {
        let (name, option) = entry?;
        let label = |field: &str| format!("options.{name}.{field}");
        check(is_plain(&option), &option, &format!("options.{name}"), "Object")?;
        let option = option.into_object().expect("it was checked");
        let kind = own(&option, "type")?;
        let kind_text = own_text(&option, "type")?.unwrap_or_default();
        let is_text = kind_text == "string";
        check(is_text || kind_text == "boolean", &kind, &label("type"), "('string|boolean')")?;
        if option.contains_key("short")? {
            let short = own(&option, "short")?;
            check(short.is_string(), &short, &label("short"), "string")?;
            if own_text(&option, "short")?.unwrap_or_default().encode_utf16().count() != 1 {
                let mut args = texts(option.ctx(), &[&label("short")])?;
                args.push(short);
                args.extend(texts(option.ctx(), &["must be a single character"])?);
                return Err(Failure::Coded("ERR_INVALID_ARG_VALUE", args));
            }
        }
        let multiple = own(&option, "multiple")?;
        let has_multiple = option.contains_key("multiple")?;
        check(!has_multiple || multiple.is_bool(), &multiple, &label("multiple"), "boolean")?;
        let fallback = own(&option, "default")?;
        if fallback.is_undefined() {
            continue;
        }
        let check_one = |value: &Value<'js>, name: &str| match is_text {
            true => check(value.is_string(), value, name, "string"),
            false => check(value.is_bool(), value, name, "boolean"),
        };
        if multiple.as_bool() == Some(true) {
            check(fallback.is_array(), &fallback, &label("default"), "Array")?;
            let list = fallback.into_array().expect("it was checked");
            for (index, value) in list.iter::<Value<'js>>().enumerate() {
                check_one(&value?, &format!("{}[{index}]", label("default")))?;
            }
        } else {
            check_one(&fallback, &label("default"))?;
        }
    }
    Ok(())
}

/// The settings of a call that concern each option.
struct Config<'js> {
    options: Object<'js>,
    allow_negative: bool,
}

impl<'js> Config<'js> {
    fn option(&self, name: &str) -> Result<Option<Object<'js>>> {
        Ok(own(&self.options, name)?.into_object())
    }

    /// The option that a token refers to.
    fn used(&self, name: &str) -> Result<Option<(String, Object<'js>)>> {
        if let Some(option) = self.option(name)? {
            return Ok(Some((name.to_owned(), option)));
        }
        let Some(positive) = name.strip_prefix("no-").filter(|_| self.allow_negative) else {
            return Ok(None);
        };
        let option = self.option(positive)?;
        let is_switch = |option: &Object<'js>| {
            own_text(option, "type").is_ok_and(|kind| kind.as_deref() == Some("boolean"))
        };
        Ok(option.filter(is_switch).map(|option| (positive.to_owned(), option)))
    }

    fn check_usage(
        &self,
        token: &Object<'js>,
        name: &str,
        value: Option<&str>,
        allow_positionals: bool,
    ) -> Checked<'js, ()> {
        let ctx = token.ctx();
        let raw: String = token.get("rawName")?;
        let Some((name, option)) = self.used(name)? else {
            let args = vec![raw.into_js(ctx)?, allow_positionals.into_js(ctx)?];
            return Err(Failure::Coded("ERR_PARSE_ARGS_UNKNOWN_OPTION", args));
        };
        let short = own_text(&option, "short")?.filter(|short| !short.is_empty());
        let shown =
            format!("{}--{name}", short.map_or(String::new(), |short| format!("-{short}, ")));
        let kind = own_text(&option, "type")?.unwrap_or_default();
        if kind == "string" && value.is_none() {
            let text = format!("Option '{shown} <value>' argument missing");
            return Err(invalid_value(ctx, text));
        }
        if kind == "boolean" && value.is_some() {
            let text = format!("Option '{shown}' does not take an argument");
            return Err(invalid_value(ctx, text));
        }
        let is_inline: Option<bool> = token.get("inlineValue")?;
        let looks_like_option =
            value.is_some_and(|value| value.len() > 1 && value.starts_with('-'));
        if is_inline != Some(true) && looks_like_option {
            let example = match raw.starts_with("--") {
                true => format!("'{raw}=-XYZ'"),
                false => format!("'--{}=-XYZ' or '{raw}-XYZ'", token.get::<_, String>("name")?),
            };
            let text = format!(
                "Option '{raw}' argument is ambiguous.\nDid you forget to specify the option argument for '{raw}'?\n\
                 To specify an option argument starting with a dash use {example}."
            );
            return Err(invalid_value(ctx, text));
        }
        Ok(())
    }

    fn store(&self, values: &Object<'js>, name: &str, value: Value<'js>) -> Result<()> {
        if name == "__proto__" {
            return Ok(());
        }
        let option = self.option(name)?;
        let multiple = option.map(|option| own(&option, "multiple")).transpose()?;
        if multiple.and_then(|multiple| multiple.as_bool()) != Some(true) {
            return values.set(name, value);
        }
        match values.get::<_, Value<'js>>(name)?.into_array() {
            Some(list) => list.set(list.len(), value),
            None => {
                let list = Array::new(values.ctx().clone())?;
                list.set(0, value)?;
                values.set(name, list)
            }
        }
    }
}

fn parse_checked<'js>(
    ctx: &Ctx<'js>,
    given: &Object<'js>,
    default_args: &Function<'js>,
) -> Checked<'js, Object<'js>> {
    let flag = |name: &str, fallback: bool| -> Result<Value<'js>> {
        let value = own(given, name)?;
        if value.is_undefined() || value.is_null() { fallback.into_js(ctx) } else { Ok(value) }
    };
    let strict = flag("strict", true)?;
    let is_strict = strict.as_bool() != Some(false);
    let mut args = own(given, "args")?;
    if args.is_undefined() || args.is_null() {
        args = default_args.call(())?;
    }
    check(args.is_array(), &args, "args", "Array")?;
    let positionals = flag("allowPositionals", !is_strict)?;
    let (wants_tokens, negative) = (flag("tokens", false)?, flag("allowNegative", false)?);
    for (name, value) in [
        ("strict", &strict),
        ("allowPositionals", &positionals),
        ("tokens", &wants_tokens),
        ("allowNegative", &negative),
    ] {
        check(value.is_bool(), value, name, "boolean")?;
    }
    let is_set = |value: &Value<'js>| value.as_bool() == Some(true);
    let mut options = own(given, "options")?;
    if options.is_undefined() || options.is_null() {
        options = Object::new(ctx.clone())?.into_value();
    }
    check(is_plain(&options), &options, "options", "Object")?;
    let options = options.into_object().expect("it was checked");
    check_options(&options)?;

    let mut words = Vec::new();
    for word in args.into_array().expect("it was checked").iter::<Text>() {
        words.push(word?.0);
    }
    let mut choices = Vec::new();
    for entry in options.props::<String, Object<'js>>() {
        let (name, option) = entry?;
        choices.push(name);
        choices.push(own_text(&option, "short")?.unwrap_or_default());
        choices.push(own_text(&option, "type")?.unwrap_or_default());
    }
    let tokens = arguments::tokenize(ctx.clone(), words, choices)?;
    let config = Config { options, allow_negative: is_set(&negative) };
    let create: Function<'js> = ctx.globals().get::<_, Object<'js>>("Object")?.get("create")?;
    let values: Object<'js> = create.call((Value::new_null(ctx.clone()),))?;
    let rest = Array::new(ctx.clone())?;
    let result = Object::new(ctx.clone())?;
    result.set("values", values.clone())?;
    result.set("positionals", rest.clone())?;
    if is_set(&wants_tokens) {
        result.set("tokens", tokens.clone())?;
    }
    for token in tokens {
        let kind: String = token.get("kind")?;
        let value: Option<String> = token.get("value")?;
        if kind == "option" {
            let name: String = token.get("name")?;
            if is_strict {
                config.check_usage(&token, &name, value.as_deref(), is_set(&positionals))?;
            }
            // "--no-color" sets "color" to false.
            let positive = name.strip_prefix("no-");
            match positive.filter(|_| config.allow_negative && value.is_none()) {
                Some(positive) => {
                    token.set("name", positive)?;
                    config.store(&values, positive, false.into_js(ctx)?)?;
                }
                None => {
                    let stored = match value {
                        Some(value) => value.into_js(ctx)?,
                        None => true.into_js(ctx)?,
                    };
                    config.store(&values, &name, stored)?;
                }
            }
        } else if kind == "positional" {
            let value = value.unwrap_or_default().into_js(ctx)?;
            if !is_set(&positionals) {
                return Err(Failure::Coded("ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL", vec![value]));
            }
            rest.set(rest.len(), value)?;
        }
    }
    for entry in config.options.props::<String, Object<'js>>() {
        let (name, option) = entry?;
        let fallback = own(&option, "default")?;
        if !fallback.is_undefined() && values.get::<_, Value<'js>>(name.as_str())?.is_undefined() {
            values.set(name, fallback)?;
        }
    }
    Ok(result)
}

//! The fields of an incoming message, as programs see them.

use std::collections::HashMap;

/// Of these fields only the first value is used. The values of other fields are joined.
pub(crate) const SINGLE: [&str; 18] = [
    "age",
    "authorization",
    "content-length",
    "content-type",
    "etag",
    "expires",
    "from",
    "host",
    "if-modified-since",
    "if-unmodified-since",
    "last-modified",
    "location",
    "max-forwards",
    "proxy-authorization",
    "referer",
    "retry-after",
    "server",
    "user-agent",
];

/// The value of a field. Those of `set-cookie` are not joined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Joined(String),
    List(Vec<&'a str>),
}

/// Returns the names and values for fields `name NUL value NUL name NUL value`: the first `count` names
/// and values.
pub(crate) fn collect(fields: &str, count: f64, joins_all: bool) -> Vec<(String, Value<'_>)> {
    let mut all: Vec<(String, Value<'_>)> = Vec::new();
    // The positions in `all`. A search would take quadratic time, and the peer chooses the fields.
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut parts = fields.split('\0');
    let mut left = count;
    while left > 0.0
        && let (Some(name), Some(value)) = (parts.next(), parts.next())
    {
        left -= 2.0;
        let name = name.to_ascii_lowercase();
        match positions.get(&name).map(|at| &mut all[*at].1) {
            None => {
                positions.insert(name.clone(), all.len());
                let first = match name.as_str() {
                    "set-cookie" => Value::List(vec![value]),
                    _ => Value::Joined(value.to_owned()),
                };
                all.push((name, first));
            }
            Some(Value::List(values)) => values.push(value),
            Some(Value::Joined(joined)) if name == "cookie" => joined.extend(["; ", value]),
            Some(_) if !joins_all && SINGLE.contains(&name.as_str()) => {}
            Some(Value::Joined(joined)) => joined.extend([", ", value]),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Value, collect};

    #[test]
    fn values_of_a_name_are_joined_or_listed_or_dropped() {
        let fields = "A\x001\0Set-Cookie\0x\0a\x002\0Host\0h\0host\0i\0set-cookie\0y\0late\x003";
        let joined = |name: &str, text: &str| (name.to_owned(), Value::Joined(text.to_owned()));
        let cookies = ("set-cookie".to_owned(), Value::List(vec!["x", "y"]));
        let expected = [joined("a", "1, 2"), cookies, joined("host", "h")];
        assert_eq!(collect(fields, 12.0, false), expected);
    }
}

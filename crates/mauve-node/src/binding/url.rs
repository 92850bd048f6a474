//! WHATWG URLs with the crate `url`, and punycode with `idna`.

use std::borrow::Cow;

use rquickjs::{Array, Ctx, Object, Result};
use url::{Url, form_urlencoded, quirks};

use super::buffer::{hex_pair, unescape};
use super::define;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "parse", parse)?;
    define(object, "canParse", |input: String, base: Option<String>| {
        resolve(&input, base).is_some()
    })?;
    define(object, "set", set)?;
    define(object, "domainToASCII", |domain: String| quirks::domain_to_ascii(&domain))?;
    define(object, "domainToUnicode", |domain: String| quirks::domain_to_unicode(&domain))?;
    define(object, "punycodeEncode", |text: String| idna::punycode::encode_str(&text))?;
    define(object, "punycodeDecode", |text: String| idna::punycode::decode_to_string(&text))?;
    define(object, "formatQuery", format_query)?;
    define(object, "parseQuery", parse_query)?;
    define(object, "formatLegacy", super::url_format::format)?;
    define(object, "parseLegacy", super::url_legacy::parse)?;
    define(object, "resolveLegacy", super::url_resolve::resolve)?;
    Ok(())
}

/// The query of names and values that follow each other.
fn format_query(list: Vec<String>) -> String {
    let pairs = list.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The names and values of a query, following each other.
fn parse_query(text: String) -> Vec<String> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    parts
        .flat_map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            [decode(name), decode(value)]
        })
        .collect()
}

/// Decodes a name or a value. Where the percent-encoding is invalid, Node decodes the low bytes of the
/// characters.
fn decode(text: &str) -> String {
    let spaced = text.replace('+', " ");
    let bytes = unescape(spaced.bytes());
    let is_complete = spaced.matches('%').count() * 2 + bytes.len() == spaced.len();
    match String::from_utf8(bytes) {
        Ok(decoded) if is_complete => decoded,
        _ if !has_escape(&spaced) => spaced,
        _ => {
            let low = spaced.encode_utf16().map(|unit| unit as u8);
            String::from_utf8_lossy(&unescape(low)).into_owned()
        }
    }
}

fn has_escape(text: &str) -> bool {
    text.as_bytes().windows(3).any(|part| part[0] == b'%' && hex_pair(&part[1..]).is_some())
}

fn resolve(input: &str, base: Option<String>) -> Option<Url> {
    match base {
        Some(base) => {
            let base = Url::parse(&base).ok()?;
            base.join(&two_slashes(input, &base)).ok()
        }
        None => Url::parse(input).ok(),
    }
}

/// For special schemes the standard treats any number of slashes before a host as two. The crate
/// does so only for absolute URLs.
fn two_slashes<'a>(input: &'a str, base: &Url) -> Cow<'a, str> {
    if !matches!(base.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
        return input.into();
    }
    let text = input.trim_start_matches(|char: char| char <= ' ');
    let host = text.trim_start_matches(['/', '\\']);
    if text.len() - host.len() > 2 { format!("//{host}").into() } else { input.into() }
}

/// Parses a URL into its parts; `None` if it is invalid.
fn parse<'js>(ctx: Ctx<'js>, input: String, base: Option<String>) -> Result<Option<Array<'js>>> {
    resolve(&input, base).map(|url| parts(&ctx, &url)).transpose()
}

/// Sets a part of the URL `href` and returns all parts. Setters ignore invalid values, except that
/// of `href`, which returns `None`.
fn set<'js>(
    ctx: Ctx<'js>,
    href: String,
    part: String,
    value: String,
) -> Result<Option<Array<'js>>> {
    let Ok(mut url) = Url::parse(&href) else { return Ok(None) };
    match part.as_str() {
        "href" if quirks::set_href(&mut url, &value).is_err() => return Ok(None),
        // These return errors for ignored values; the setters of the standard do not.
        "protocol" => drop(quirks::set_protocol(&mut url, &value)),
        "username" => drop(quirks::set_username(&mut url, &value)),
        "password" => drop(quirks::set_password(&mut url, &value)),
        "host" => drop(quirks::set_host(&mut url, &value)),
        "hostname" => drop(quirks::set_hostname(&mut url, &value)),
        "port" => drop(quirks::set_port(&mut url, &value)),
        "pathname" => quirks::set_pathname(&mut url, &value),
        "search" => quirks::set_search(&mut url, &value),
        "hash" => quirks::set_hash(&mut url, &value),
        _ => {}
    }
    parts(&ctx, &url).map(Some)
}

/// The parts, in the order that `internal/url` expects.
fn parts<'js>(ctx: &Ctx<'js>, url: &Url) -> Result<Array<'js>> {
    let origin = quirks::origin(url);
    let parts = [
        quirks::href(url),
        &origin,
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ];
    let array = Array::new(ctx.clone())?;
    for (index, part) in parts.into_iter().enumerate() {
        array.set(index, part)?;
    }
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_before_a_host_count_as_two_for_special_schemes() {
        let resolved =
            |input: &str, base: &str| resolve(input, Some(base.into())).map(String::from);
        assert_eq!(resolved("///b/c", "http://a/").as_deref(), Some("http://b/c"));
        assert_eq!(resolved("\\\\/b", "https://a/x").as_deref(), Some("https://b/"));
        assert_eq!(resolved("/b", "http://a/").as_deref(), Some("http://a/b"));
        assert_eq!(resolved("x", "not a url"), None);
    }

    #[test]
    fn queries_are_decoded() {
        assert_eq!(
            parse_query("a=1&&b=+%20%C3%BC&c&=d&e=f=g".into()),
            ["a", "1", "b", "  ü", "c", "", "", "d", "e", "f=g"]
        );
        assert_eq!(parse_query("%zz=ü%&a%ff=%41%".into()), ["%zz", "ü%", "a\u{fffd}", "A%"]);
        assert_eq!(parse_query("š%41%ff".into()), ["aA\u{fffd}", ""]);
    }
}

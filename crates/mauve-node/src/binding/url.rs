//! URLs as the WHATWG standard parses them; the work is the crate `url`'s.

use std::borrow::Cow;

use rquickjs::{Array, Ctx, Object, Result};
use url::{Url, quirks};

use super::functions;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "parse" => parse,
        "canParse" => |input: String, base: Option<String>| resolve(&input, base).is_some(),
        "set" => set,
        "domainToASCII" => |domain: String| quirks::domain_to_ascii(&domain),
        "domainToUnicode" => |domain: String| quirks::domain_to_unicode(&domain),
    });
    Ok(())
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

/// The standard takes any number of slashes before a host for two, if the protocol is one of its
/// own; the crate does so only where the protocol is written out.
fn two_slashes<'a>(input: &'a str, base: &Url) -> Cow<'a, str> {
    if !matches!(base.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
        return input.into();
    }
    let text = input.trim_start_matches(|char: char| char <= ' ');
    let host = text.trim_start_matches(['/', '\\']);
    if text.len() - host.len() > 2 { format!("//{host}").into() } else { input.into() }
}

/// The parts of a URL, or nothing if it is not one.
fn parse<'js>(ctx: Ctx<'js>, input: String, base: Option<String>) -> Result<Option<Array<'js>>> {
    resolve(&input, base).map(|url| parts(&ctx, &url)).transpose()
}

/// The parts that the URL `href` has after one of them was set. A setter ignores what does not fit,
/// except that of `href`: nothing comes back if the new one is no URL.
fn set<'js>(
    ctx: Ctx<'js>,
    href: String,
    part: String,
    value: String,
) -> Result<Option<Array<'js>>> {
    let Ok(mut url) = Url::parse(&href) else { return Ok(None) };
    match part.as_str() {
        "href" if quirks::set_href(&mut url, &value).is_err() => return Ok(None),
        // These report what they ignored; the standard's setters do not.
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

/// In the order in which `internal/url` names them.
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
    fn slashes_before_a_host_count_as_two_for_the_standards_protocols() {
        let resolved =
            |input: &str, base: &str| resolve(input, Some(base.into())).map(String::from);
        assert_eq!(resolved("///b/c", "http://a/").as_deref(), Some("http://b/c"));
        assert_eq!(resolved("\\\\/b", "https://a/x").as_deref(), Some("https://b/"));
        assert_eq!(resolved("/b", "http://a/").as_deref(), Some("http://a/b"));
        assert_eq!(resolved("x", "not a url"), None);
    }
}

//! The parser of the legacy `url.parse`, which accepts more than a WHATWG URL.

use rquickjs::{Array, Ctx, Result};
use url::quirks;

use crate::host::text::Units;

pub(super) type Text = Vec<u16>;

/// Protocols that are followed by "//".
pub(super) const SLASHED: [&str; 7] =
    ["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"];
pub(super) const HOSTLESS: &str = "javascript:";
const MAX_HOSTNAME: usize = 255;
/// Characters that make a hostname invalid, and those that are valid in an IPv6 address.
const FORBIDDEN: &str = "\0\t\n\r #%/<>?@\\^|:[]";
const IN_IPV6: &str = ":[]";
/// Characters that end a host.
const AFTER_HOST: &str = " \"%';<>\\^`{|}";
/// Characters that are removed from a host.
const REMOVED: &str = "\t\n\r";
/// Characters that are escaped after the host.
const ESCAPED: &str = "\t\n\r \"'<>\\^`{|}";

/// The parts of a URL; those that it does not have are `None`.
#[derive(Debug, Default)]
struct Parts {
    protocol: Option<Text>,
    has_slashes: bool,
    /// Percent-encoded.
    auth: Option<Text>,
    host: Option<Text>,
    port: Option<Text>,
    hostname: Option<Text>,
    hash: Option<Text>,
    search: Option<Text>,
    pathname: Option<Text>,
    /// Only for a URL that is kept as it is.
    href: Option<Text>,
    /// Whether the hostname was cut at a colon.
    has_invalid_port: bool,
}

/// Parses a URL into the array that `internal/url_legacy` expects; `None` if its host is invalid.
pub(super) fn parse(
    ctx: Ctx<'_>,
    url: Units,
    slashes_denote_host: bool,
) -> Result<Option<Array<'_>>> {
    let Some(parts) = parse_text(&url.0, slashes_denote_host) else { return Ok(None) };
    let list = Array::new(ctx)?;
    let texts = [
        parts.auth,
        parts.host,
        parts.port,
        parts.hostname,
        parts.hash,
        parts.search,
        parts.pathname,
        parts.href,
    ];
    list.set(0, parts.protocol.map(Units))?;
    list.set(1, parts.has_slashes.then_some(true))?;
    for (index, text) in texts.into_iter().enumerate() {
        list.set(2 + index, text.map(Units))?;
    }
    list.set(10, parts.has_invalid_port)?;
    Ok(Some(list))
}

fn is_in(set: &str, unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii() && set.contains(char::from(byte)))
}

fn is_space(unit: u16) -> bool {
    unit == 0xfeff
        || char::from_u32(unit.into()).is_some_and(|char| char.is_whitespace() && char != '\u{85}')
}

fn is_alphanumeric(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric())
}

fn find(text: &[u16], character: char) -> Option<usize> {
    text.iter().position(|unit| *unit == character as u16)
}

fn lower(text: &[u16]) -> Text {
    char::decode_utf16(text.iter().copied())
        .flat_map(|char| match char {
            Ok(char) => char.to_lowercase().collect::<String>().encode_utf16().collect(),
            Err(lone) => vec![lone.unpaired_surrogate()],
        })
        .collect()
}

pub(super) fn is_one_of(text: &[u16], list: &[&str]) -> bool {
    list.iter().any(|known| known.encode_utf16().eq(text.iter().copied()))
}

fn starts_with(text: &[u16], start: &str) -> bool {
    text.len() >= start.len() && start.encode_utf16().eq(text[..start.len()].iter().copied())
}

/// Trims white space and turns the backslashes before the query and the hash into slashes.
fn normalize_input(text: &[u16]) -> Text {
    let is_text = |unit: &u16| !is_space(*unit);
    let Some(start) = text.iter().position(is_text) else { return Text::new() };
    let end = text.iter().rposition(is_text).map_or(0, |last| last + 1);
    let mut trimmed = text[start..end].to_vec();
    let query = trimmed.iter().position(|unit| is_in("?#", *unit)).unwrap_or(trimmed.len());
    for unit in &mut trimmed[..query] {
        if *unit == '\\' as u16 {
            *unit = '/' as u16;
        }
    }
    trimmed
}

fn parse_text(url: &[u16], slashes_denote_host: bool) -> Option<Parts> {
    let text = normalize_input(url);
    if !slashes_denote_host && is_simple(&text) {
        let mut parts = Parts { href: Some(text.clone()), ..Parts::default() };
        parts.take_tail(&text, false);
        return Some(parts);
    }
    let mut parts = Parts::default();
    let scheme =
        text.iter().take_while(|unit| is_alphanumeric(**unit) || is_in("-+.", **unit)).count();
    let has_protocol = scheme > 0 && text.get(scheme) == Some(&(':' as u16));
    let (protocol, rest) = text.split_at(if has_protocol { scheme + 1 } else { 0 });
    let lower_protocol = lower(protocol);
    let may_have_host = slashes_denote_host || has_protocol || has_user(rest);
    let has_slashes = may_have_host && starts_with(rest, "//");
    let is_slashed = is_one_of(&lower_protocol, &SLASHED);
    let mut rest = rest.to_vec();
    if !is_one_of(&lower_protocol, &[HOSTLESS]) {
        if has_slashes {
            parts.has_slashes = true;
            rest.drain(..2);
        }
        if has_slashes || (has_protocol && !is_one_of(protocol, &SLASHED)) {
            rest = parts.take_host(&rest)?;
        }
        rest = escape(&rest);
    }
    parts.protocol = has_protocol.then_some(lower_protocol);
    parts.take_tail(&rest, is_slashed);
    Some(parts)
}

/// Whether the URL is a path and perhaps a query, which need no change.
fn is_simple(text: &[u16]) -> bool {
    text.first() == Some(&('/' as u16))
        && !starts_with(text, "///")
        && !text.iter().any(|unit| is_in("#@", *unit) || is_space(*unit))
}

/// Whether the text begins with "//user@host".
fn has_user(text: &[u16]) -> bool {
    let Some(rest) = text.get(2..).filter(|_| starts_with(text, "//")) else { return false };
    let user = rest.iter().take_while(|unit| !is_in("/@", **unit)).count();
    let host = rest.get(user + 1);
    user > 0
        && rest.get(user) == Some(&('@' as u16))
        && host.is_some_and(|unit| !is_in("/@", *unit))
}

fn escape(text: &[u16]) -> Text {
    let mut escaped = Text::with_capacity(text.len());
    for unit in text {
        match is_in(ESCAPED, *unit) {
            true => escaped.extend(format!("%{unit:02X}").encode_utf16()),
            false => escaped.push(*unit),
        }
    }
    escaped
}

impl Parts {
    /// Parses the host at the start of `rest`; returns the remaining text, or `None` if the host is
    /// invalid.
    fn take_host(&mut self, rest: &[u16]) -> Option<Text> {
        let end = rest.iter().position(|unit| is_in("/?#", *unit)).unwrap_or(rest.len());
        let at = rest[..end].iter().rposition(|unit| *unit == '@' as u16);
        let start = at.map_or(0, |at| at + 1);
        let end = rest[start..end]
            .iter()
            .position(|unit| is_in(AFTER_HOST, *unit))
            .map_or(end, |end| start + end);
        let kept = |text: &[u16]| {
            text.iter().copied().filter(|unit| !is_in(REMOVED, *unit)).collect::<Text>()
        };
        self.auth = at.map(|at| kept(&rest[..at]));
        let (mut hostname, mut rest) = (kept(&rest[start..end]), rest[end..].to_vec());
        let digits = hostname.iter().rev().take_while(|unit| is_in("0123456789", **unit)).count();
        let colon = (hostname.len() - digits).checked_sub(1);
        if let Some(colon) = colon.filter(|colon| hostname[*colon] == ':' as u16) {
            let port = hostname.split_off(colon)[1..].to_vec();
            self.port = Some(port).filter(|port| !port.is_empty());
        }
        let is_ipv6 =
            hostname.first() == Some(&('[' as u16)) && hostname.last() == Some(&(']' as u16));
        // A colon without a port ends the host; the path starts there.
        if let Some(colon) = find(&hostname, ':').filter(|_| !is_ipv6) {
            let tail = hostname.split_off(colon);
            self.has_invalid_port = true;
            rest = [['/' as u16].as_slice(), &tail, &rest].concat();
        }
        hostname = if hostname.len() > MAX_HOSTNAME { Text::new() } else { lower(&hostname) };
        if !hostname.is_empty() {
            if !is_ipv6 && hostname.iter().any(|unit| *unit >= 0x80) {
                let ascii = quirks::domain_to_ascii(&String::from_utf16_lossy(&hostname));
                hostname = ascii.encode_utf16().collect();
            }
            let is_forbidden =
                |unit: &u16| is_in(FORBIDDEN, *unit) && !(is_ipv6 && is_in(IN_IPV6, *unit));
            if hostname.is_empty() || hostname.iter().any(is_forbidden) {
                return None;
            }
        }
        let port = self.port.iter().flat_map(|port| [[':' as u16].as_slice(), port].concat());
        self.host = Some(hostname.iter().copied().chain(port).collect());
        if is_ipv6 {
            hostname = hostname[1..hostname.len() - 1].to_vec();
            if rest.first() != Some(&('/' as u16)) {
                rest.insert(0, '/' as u16);
            }
        }
        self.hostname = Some(hostname);
        Some(rest)
    }

    fn take_tail(&mut self, rest: &[u16], is_slashed: bool) {
        let (head, hash) = rest.split_at(find(rest, '#').unwrap_or(rest.len()));
        let (path, search) = head.split_at(find(head, '?').unwrap_or(head.len()));
        let some = |text: &[u16]| Some(text.to_vec()).filter(|text| !text.is_empty());
        (self.hash, self.search, self.pathname) = (some(hash), some(search), some(path));
        if is_slashed && self.hostname.as_ref().is_some_and(|name| !name.is_empty()) {
            self.pathname.get_or_insert_with(|| vec!['/' as u16]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Option<Parts> {
        parse_text(&url.encode_utf16().collect::<Vec<_>>(), false)
    }

    fn text(part: &Option<Text>) -> &str {
        part.as_ref().map_or("", |part| String::from_utf16(part).expect("UTF-16").leak())
    }

    #[test]
    fn the_parts_of_a_url_are_found() {
        let parts = parse(" HTTP:\\\\a:b@Host:80/x y?q#h ").expect("a host");
        assert_eq!((text(&parts.protocol), parts.has_slashes), ("http:", true));
        assert_eq!((text(&parts.auth), text(&parts.host)), ("a:b", "host:80"));
        assert_eq!((text(&parts.port), text(&parts.hostname)), ("80", "host"));
        assert_eq!((text(&parts.pathname), text(&parts.search)), ("/x%20y", "?q"));
        assert_eq!(text(&parts.hash), "#h");
    }

    #[test]
    fn a_colon_and_some_characters_end_the_host() {
        let parts = parse("http://a*\tb;c").expect("a host");
        assert_eq!((text(&parts.hostname), text(&parts.pathname)), ("a*b", ";c"));
        assert!(parse("http://a:b:80/").expect("a host").has_invalid_port);
        assert!(parse("http://[a]b/").is_none());
        assert_eq!(text(&parse("http://[::1]:8?x").expect("a host").host), "[::1]:8");
    }
}

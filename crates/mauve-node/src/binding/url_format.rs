//! The legacy `url.format` of the fields of a URL.

use super::url_legacy::SLASHED;
use crate::host::text::Text;

/// `parts` are auth (encoded), protocol, pathname, host, hostname, port, search and hash; those that are missing are
/// empty.
pub(super) fn format(parts: Vec<Text>, has_slashes: bool) -> String {
    let mut parts = parts.into_iter().map(|Text(part)| part);
    let mut next = || parts.next().unwrap_or_default();
    let (auth, mut protocol, pathname) = (next(), next(), next());
    let (mut host, hostname, port, search, hash) = (next(), next(), next(), next(), next());
    let auth =
        if auth.is_empty() { auth } else { auth.replace("%3A", ":").replace("%3a", ":") + "@" };
    if !protocol.is_empty() && !protocol.ends_with(':') {
        protocol.push(':');
    }
    if !host.is_empty() {
        host = auth + &host;
    } else if !hostname.is_empty() {
        let is_bare =
            hostname.contains(':') && !(hostname.starts_with('[') && hostname.ends_with(']'));
        host = if is_bare { format!("{auth}[{hostname}]") } else { auth + &hostname };
        if !port.is_empty() {
            host = format!("{host}:{port}");
        }
    }
    let mut pathname = pathname.replace('#', "%23").replace('?', "%3F");
    if has_slashes || SLASHED.contains(&protocol.as_str()) {
        if has_slashes || !host.is_empty() {
            if !pathname.is_empty() && !pathname.starts_with('/') {
                pathname.insert(0, '/');
            }
            host.insert_str(0, "//");
        } else if protocol.starts_with("file") {
            host = "//".to_owned();
        }
    }
    let marked = |text: String, mark: char| match text.is_empty() || text.starts_with(mark) {
        true => text,
        false => format!("{mark}{text}"),
    };
    let search = marked(search.replace('#', "%23"), '?');
    protocol + &host + &pathname + &search + &marked(hash, '#')
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::host::text::Text;

    #[test]
    fn fields_are_joined() {
        for (parts, slashes, url) in [
            (["u%3Ap", "http", "a", "", "h", "80", "x=1", "f"], false, "http://u:p@h:80/a?x=1#f"),
            (["", "http:", "", "h:1", "", "", "?q#", "#f"], false, "http://h:1?q%23#f"),
            (["", "file", "/p", "", "", "", "", ""], false, "file:///p"),
            (["", "mailto:", "a@b", "", "", "", "", ""], false, "mailto:a@b"),
            (["", "", "p?#", "", "::1", "", "", ""], true, "//[::1]/p%3F%23"),
        ] {
            let parts = parts.map(|part| Text(part.to_owned())).into();
            assert_eq!(format(parts, slashes), url);
        }
    }
}

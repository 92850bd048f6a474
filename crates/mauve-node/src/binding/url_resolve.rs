//! The legacy `url.resolve`: resolves a reference against a base (RFC 3986, 5.2).
//!
//! The components that the reference defines replace those of the base. Then the segments of the two
//! paths are merged and "." and ".." are removed.

use rquickjs::{Ctx, Object, Result, Value};

use super::url_legacy::{HOSTLESS, SLASHED, Text, is_one_of};
use crate::host::text::Units;

const SLASH: u16 = b'/' as u16;
const AT: u16 = b'@' as u16;

/// The fields of a `Url` object. A field that it does not have is `None`, and null in JavaScript.
struct Fields<'js> {
    protocol: Option<Text>,
    has_slashes: bool,
    auth: Option<Text>,
    host: Option<Text>,
    port: Option<Text>,
    hostname: Option<Text>,
    search: Option<Text>,
    /// A string, or an object if the query was parsed.
    query: Value<'js>,
    pathname: Option<Text>,
    path: Option<Text>,
}

/// Returns the fields of the resolved URL.
pub(super) fn resolve<'js>(
    ctx: Ctx<'js>,
    base: Object<'js>,
    reference: Object<'js>,
) -> Result<Object<'js>> {
    let (base, reference) = (Fields::from_object(&base)?, Fields::from_object(&reference)?);
    let resolved = if reference.has_slashes && !is_set(&reference.protocol) {
        to_other_host(base, reference)
    } else if is_set(&reference.protocol) && reference.protocol != base.protocol {
        to_other_protocol(base, reference)
    } else {
        within_protocol(base, reference)
    };
    resolved.into_object(ctx)
}

impl<'js> Fields<'js> {
    fn from_object(object: &Object<'js>) -> Result<Self> {
        let text = |name: &str| -> Result<Option<Text>> {
            let value: Value<'_> = object.get(name)?;
            if value.is_string() {
                value.get::<Units>().map(|units| Some(units.0))
            } else {
                Ok(None)
            }
        };
        Ok(Self {
            protocol: text("protocol")?,
            has_slashes: object.get::<_, Option<bool>>("slashes")?.unwrap_or(false),
            auth: text("auth")?,
            host: text("host")?,
            port: text("port")?,
            hostname: text("hostname")?,
            search: text("search")?,
            query: object.get("query")?,
            pathname: text("pathname")?,
            path: text("path")?,
        })
    }

    fn into_object(self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let object = Object::new(ctx.clone())?;
        let texts = [
            ("protocol", self.protocol),
            ("auth", self.auth),
            ("host", self.host),
            ("port", self.port),
            ("hostname", self.hostname),
            ("search", self.search),
            ("pathname", self.pathname),
            ("path", self.path),
        ];
        for (name, text) in texts {
            match text {
                Some(text) => object.set(name, Units(text))?,
                None => object.set(name, Value::new_null(ctx.clone()))?,
            }
        }
        match self.has_slashes {
            true => object.set("slashes", true)?,
            false => object.set("slashes", Value::new_null(ctx))?,
        }
        object.set("query", self.query)?;
        Ok(object)
    }

    /// Whether the protocol is followed by "//".
    fn is_slashed(&self) -> bool {
        let Some(protocol) = &self.protocol else { return false };
        let has_colon = protocol.last() == Some(&(b':' as u16));
        let colon: &[u16] = if has_colon { &[] } else { &[b':' as u16] };
        is_one_of(&[protocol.as_slice(), colon].concat(), &SLASHED)
    }

    fn has_absolute_path(&self) -> bool {
        self.pathname.as_ref().is_some_and(|path| path.first() == Some(&SLASH))
    }

    fn copy_query(&mut self, from: &Self) {
        self.search.clone_from(&from.search);
        self.query = from.query.clone();
    }

    /// Copies the host of the reference. The user of the base is dropped if the host differs.
    fn copy_host(&mut self, from: &Self) {
        let differs = |own: &Option<Text>, other: &Option<Text>| other.is_some() && own != other;
        if differs(&self.host, &from.host) || differs(&self.hostname, &from.hostname) {
            self.auth = None;
        }
        if from.host.is_some() {
            self.host.clone_from(&from.host);
            self.port.clone_from(&from.port);
        }
        if from.hostname.is_some() {
            self.hostname.clone_from(&from.hostname);
        }
    }

    /// Takes the host from the first segment, for protocols without "//". A user may precede it.
    fn set_host(&mut self, name: Option<Text>) {
        let mut name = name;
        if let Some(text) = &name {
            let mut parts = text.split(|unit| *unit == AT);
            let user = parts.next().filter(|user| !user.is_empty());
            if let (Some(user), Some(host)) = (user, parts.next()) {
                self.auth = Some(user.to_vec());
                name = Some(host.to_vec());
            }
        }
        self.host.clone_from(&name);
        self.hostname = name;
    }

    fn with_path(mut self) -> Self {
        if self.pathname.is_some() || self.search.is_some() {
            let parts = [&self.pathname, &self.search];
            self.path = Some(parts.into_iter().flatten().flatten().copied().collect());
        }
        self
    }
}

/// Whether a field is neither null nor empty.
fn is_set(field: &Option<Text>) -> bool {
    field.as_ref().is_some_and(|text| !text.is_empty())
}

/// Resolves "//host/path": everything but the protocol is replaced.
fn to_other_host<'js>(base: Fields<'js>, reference: Fields<'js>) -> Fields<'js> {
    let mut url = Fields { protocol: base.protocol, ..reference };
    if url.is_slashed() && is_set(&url.hostname) && !is_set(&url.pathname) {
        url.pathname = Some(vec![SLASH]);
        url.path = Some(vec![SLASH]);
    }
    url
}

/// Resolves a reference with another protocol: it keeps nothing of the base. If its protocol needs a
/// host and it has none, the first segment of its path becomes the host.
fn to_other_protocol<'js>(base: Fields<'js>, mut reference: Fields<'js>) -> Fields<'js> {
    if !reference.is_slashed() {
        return reference;
    }
    let needs_host = !reference
        .protocol
        .as_ref()
        .is_some_and(|protocol| is_one_of(protocol, &["file", "file:", HOSTLESS]));
    if !is_set(&reference.host) && needs_host {
        let path = reference.pathname.take().unwrap_or_default();
        let start = path.iter().position(|unit| *unit != SLASH).unwrap_or(path.len());
        let end = path[start..]
            .iter()
            .position(|unit| *unit == SLASH)
            .map_or(path.len(), |end| start + end);
        reference.host = Some(path[start..end].to_vec());
        // One empty segment after the host is dropped.
        let rest = path[end..].strip_prefix(&[SLASH]).unwrap_or_default();
        let rest = rest.strip_prefix(&[SLASH]).unwrap_or(rest);
        reference.pathname = Some([&[SLASH], rest].concat());
        reference.hostname = reference.hostname.or(Some(Text::new()));
    }
    let host = reference.host.take().unwrap_or_default();
    if !is_set(&reference.hostname) && !host.is_empty() {
        reference.hostname = Some(host.clone());
    }
    reference.host = Some(host);
    reference.has_slashes |= base.has_slashes;
    if is_set(&reference.pathname) || is_set(&reference.search) {
        return reference.with_path();
    }
    Fields { path: base.path, ..reference }
}

/// The segments of a path. An absolute path begins with an empty one.
struct Segments(Vec<Text>);

impl Segments {
    fn of(path: &Option<Text>) -> Self {
        match path.as_ref().filter(|path| !path.is_empty()) {
            Some(path) => Self(path.split(|unit| *unit == SLASH).map(<[u16]>::to_vec).collect()),
            None => Self(Vec::new()),
        }
    }

    fn starts_empty(&self) -> bool {
        self.0.first().is_some_and(Vec::is_empty)
    }

    /// Puts the host before the path, for protocols without "//".
    fn prepend_host(&mut self, host: &Option<Text>) {
        let Some(host) = host.as_ref().filter(|host| !host.is_empty()) else { return };
        if self.starts_empty() {
            self.0.remove(0);
        }
        self.0.insert(0, host.clone());
    }

    fn take_first(&mut self) -> Option<Text> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Whether the path ends in a slash, or in dots that mean a directory.
    fn is_directory(&self, has_host: bool) -> bool {
        let Some(last) = self.0.last() else { return false };
        last.is_empty() || ((has_host || self.0.len() > 1) && is_one_of(last, &[".", ".."]))
    }

    /// Removes "." and each ".." with the segment before it. `keep_leading` keeps the ".." that are
    /// left.
    fn remove_dots(&mut self, keep_leading: bool) {
        let mut kept = Vec::new();
        let mut parents = 0;
        for segment in self.0.drain(..).rev() {
            match () {
                () if is_one_of(&segment, &[".."]) => parents += 1,
                () if is_one_of(&segment, &["."]) => {}
                () if parents > 0 => parents -= 1,
                () => kept.push(segment),
            }
        }
        if keep_leading {
            kept.extend(std::iter::repeat_n("..".encode_utf16().collect(), parents));
        }
        kept.reverse();
        self.0 = kept;
    }
}

/// Resolves a reference with the protocol of the base, or without one.
fn within_protocol<'js>(mut url: Fields<'js>, mut reference: Fields<'js>) -> Fields<'js> {
    let replaces_path = is_set(&reference.host) || reference.has_absolute_path();
    let is_rooted = url.has_absolute_path() || (is_set(&url.host) && is_set(&reference.pathname));
    let keeps_leading_dots = !(replaces_path || is_rooted);
    let mut must_be_absolute = !keeps_leading_dots;
    let (mut path, mut reference_path) =
        (Segments::of(&url.pathname), Segments::of(&reference.pathname));
    // Protocols without "//" keep the host in the path while it is resolved.
    let is_host_in_path = is_set(&url.protocol) && !url.is_slashed();
    if is_host_in_path {
        path.prepend_host(&url.host);
        (url.host, url.hostname, url.port) = (Some(Text::new()), Some(Text::new()), None);
        if is_set(&reference.protocol) {
            reference_path.prepend_host(&reference.host);
            (reference.host, reference.hostname, reference.port) = (None, None, None);
            url.auth = None;
        }
        must_be_absolute &= reference_path.starts_empty() || path.starts_empty();
    }

    if replaces_path {
        path = reference_path;
        url.copy_host(&reference);
        url.copy_query(&reference);
    } else if !reference_path.0.is_empty() {
        path.0.pop();
        path.0.append(&mut reference_path.0);
        url.copy_query(&reference);
    } else if reference.search.is_some() {
        if is_host_in_path {
            url.set_host(path.take_first());
        }
        url.copy_query(&reference);
        return url.with_path();
    }
    if path.0.is_empty() {
        url.pathname = None;
        url.path = url
            .search
            .as_ref()
            .filter(|search| !search.is_empty())
            .map(|search| [&[SLASH], search.as_slice()].concat());
        return url;
    }

    let is_directory = path.is_directory(is_set(&url.host) || is_set(&reference.host));
    path.remove_dots(keeps_leading_dots && !must_be_absolute);
    if must_be_absolute && !path.starts_empty() {
        path.0.insert(0, Text::new());
    }
    if is_directory && (path.0.len() < 2 || path.0.last().is_some_and(|last| !last.is_empty())) {
        path.0.push(Text::new());
    }
    let is_absolute = path.starts_empty();
    if is_host_in_path {
        let host = if is_absolute { None } else { path.take_first() };
        url.set_host(host.or(Some(Text::new())));
    }
    if (must_be_absolute || (is_set(&url.host) && !path.0.is_empty())) && !is_absolute {
        path.0.insert(0, Text::new());
    }
    url.pathname = (!path.0.is_empty()).then(|| path.0.join(&SLASH));
    if url.pathname.is_none() {
        url.path = None;
    }
    if is_set(&reference.auth) {
        url.auth = reference.auth;
    }
    url.has_slashes |= reference.has_slashes;
    url.with_path()
}

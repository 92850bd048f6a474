//! The module `path`: paths as text, in the style of POSIX or of Windows. JavaScript checks the
//! arguments, and passes whether the style is that of Windows.

use rquickjs::{Array, Function, Object, Result, Value};

use super::define;
use crate::host::text::Units;

const DOT: u16 = b'.' as u16;
const SLASH: u16 = b'/' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const COLON: u16 = b':' as u16;
const QUESTION: u16 = b'?' as u16;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "resolve", resolve)?;
    define(object, "normalize", |windows: bool, path: Units| {
        Units(if windows { normalize_windows(&path.0) } else { normalize_posix(&path.0) })
    })?;
    define(object, "isAbsolute", |windows: bool, path: Units| {
        if windows { Root::of(&path.0, true).is_absolute } else { path.0.first() == Some(&SLASH) }
    })?;
    define(object, "join", |windows: bool, parts: Vec<Units>| Units(join(windows, &parts)))?;
    define(object, "relative", |windows: bool, from: Units, to: Units| {
        Units(relative(windows, &from.0, &to.0))
    })?;
    define(object, "dirname", |windows: bool, path: Units| {
        let end = if windows { dirname_windows(&path.0) } else { dirname_posix(&path.0) };
        Units(end.map_or(vec![DOT], |end| path.0[..end].to_vec()))
    })?;
    define(object, "basename", |windows: bool, path: Units, suffix: Option<Units>| {
        Units(basename(windows, &path.0, suffix.as_ref().map(|suffix| &*suffix.0)).to_vec())
    })?;
    define(object, "extname", |windows: bool, path: Units| {
        Units(extension(basename(windows, &path.0, None)).to_vec())
    })?;
    define(object, "parse", |windows: bool, path: Units| {
        let parts = if windows { parse_windows(&path.0) } else { parse_posix(&path.0) };
        parts.map(|part| Units(part.to_vec())).into_iter().collect::<Vec<_>>()
    })?;
    define(object, "toNamespacedPath", |path: Units, resolved: Units| {
        Units(to_namespaced(path.0, resolved.0))
    })?;
    Ok(())
}

fn is_separator(windows: bool, unit: u16) -> bool {
    unit == SLASH || (windows && unit == BACKSLASH)
}

/// Joins segments without the empty ones, and resolves "." and "..". An absolute path drops ".."
/// above its root, a relative path keeps it.
fn resolve_segments(windows: bool, path: &[u16], is_absolute: bool) -> Vec<u16> {
    let mut kept: Vec<&[u16]> = Vec::new();
    for segment in path.split(|unit| is_separator(windows, *unit)) {
        match segment {
            [] | [DOT] => {}
            [DOT, DOT] if kept.last().is_some_and(|last| *last != [DOT, DOT]) => _ = kept.pop(),
            [DOT, DOT] if is_absolute => {}
            _ => kept.push(segment),
        }
    }
    kept.join(&(if windows { BACKSLASH } else { SLASH }))
}

/// Resolves paths from right to left until they are absolute. Calls `check` with the index of an
/// argument that is no string, and `current_dir` with a drive or an empty string.
fn resolve<'js>(
    windows: bool,
    paths: Array<'js>,
    check: Function<'js>,
    current_dir: Function<'js>,
) -> Result<Units> {
    let mut resolution = Resolution { windows, ..Resolution::default() };
    for index in (0..paths.len()).rev() {
        if resolution.is_complete() {
            break;
        }
        let path: Value<'_> = paths.get(index)?;
        if !path.is_string() {
            check.call::<_, ()>((index,))?;
        }
        resolution.prepend(&path.get::<Units>()?.0);
    }
    if !resolution.is_complete() {
        let device = Units(resolution.device.clone());
        resolution.prepend(&current_dir.call::<_, Units>((device,))?.0);
    }
    Ok(Units(resolution.finish()))
}

#[derive(Default)]
struct Resolution {
    windows: bool,
    /// The drive or share, for Windows.
    device: Vec<u16>,
    tail: Vec<u16>,
    is_absolute: bool,
}

impl Resolution {
    fn is_complete(&self) -> bool {
        self.is_absolute && (!self.windows || !self.device.is_empty())
    }

    /// Adds the path on the left. A path on another drive is ignored.
    fn prepend(&mut self, path: &[u16]) {
        let mut end = 0;
        let mut is_absolute = path.first() == Some(&SLASH);
        if self.windows {
            let root = Root::of(path, true);
            if self.device.is_empty() {
                self.device.clone_from(&root.device);
            } else if !root.device.is_empty() && !is_same_name(&root.device, &self.device) {
                return;
            }
            if self.is_absolute {
                return;
            }
            (end, is_absolute) = (root.end, root.is_absolute);
        }
        self.tail = [&path[end..], self.tail.as_slice()].join(&SLASH);
        self.is_absolute = is_absolute;
    }

    fn finish(self) -> Vec<u16> {
        let Self { windows, device, tail, is_absolute } = self;
        let tail = resolve_segments(windows, &tail, is_absolute);
        let root: &[u16] = match (is_absolute, windows) {
            (false, _) => &[],
            (true, true) => &[BACKSLASH],
            (true, false) => &[SLASH],
        };
        let path = [device.as_slice(), root, &tail].concat();
        if path.is_empty() { vec![DOT] } else { path }
    }
}

fn normalize_posix(path: &[u16]) -> Vec<u16> {
    let is_absolute = path.first() == Some(&SLASH);
    let names = resolve_segments(false, path, is_absolute);
    let (root, end): (&[u16], &[u16]) = (
        if is_absolute { &[SLASH] } else { &[] },
        if path.last() == Some(&SLASH) { &[SLASH] } else { &[] },
    );
    match (names.is_empty(), is_absolute) {
        (false, _) => [root, &names, end].concat(),
        (true, true) => root.to_vec(),
        (true, false) => [[DOT].as_slice(), end].concat(),
    }
}

fn normalize_windows(path: &[u16]) -> Vec<u16> {
    match path {
        [] => return vec![DOT],
        [SLASH] => return vec![BACKSLASH],
        [_] => return path.to_vec(),
        _ => {}
    }
    let Root { device, end, is_absolute, is_share_only } = Root::of(path, true);
    if is_share_only {
        return [device.as_slice(), &[BACKSLASH]].concat();
    }
    let mut tail = resolve_segments(true, &path[end..], is_absolute);
    if tail.is_empty() && !is_absolute {
        tail.push(DOT);
    }
    if !tail.is_empty() && path[end..].last().is_some_and(|unit| is_separator(true, *unit)) {
        tail.push(BACKSLASH);
    }
    // A relative path must not turn into one with a drive.
    if !is_absolute && device.is_empty() {
        let ends_name = |rest: &[u16]| rest.get(1).is_none_or(|next| is_separator(true, *next));
        let mut rests = (0..path.len()).map(|start| &path[start..]);
        let has_colon = path.contains(&COLON) && has_drive(&tail);
        if has_colon || rests.any(|rest| rest[0] == COLON && ends_name(rest)) {
            return [[DOT, BACKSLASH].as_slice(), &tail].concat();
        }
    }
    let root: &[u16] = if is_absolute { &[BACKSLASH] } else { &[] };
    [device.as_slice(), root, &tail].concat()
}

fn join(windows: bool, parts: &[Units]) -> Vec<u16> {
    let used: Vec<&[u16]> =
        parts.iter().map(|part| &*part.0).filter(|part| !part.is_empty()).collect();
    let Some(first) = used.first() else { return vec![DOT] };
    if !windows {
        return normalize_posix(&used.join(&SLASH));
    }
    let joined = used.join(&BACKSLASH);
    let separators =
        |text: &[u16]| text.iter().take_while(|unit| is_separator(true, **unit)).count();
    // The result is a share only if the first part begins like one.
    let is_share = separators(first) == 2 && first.len() > 2;
    match separators(&joined) {
        count if count > 1 && !is_share => normalize_windows(&joined[count - 1..]),
        _ => normalize_windows(&joined),
    }
}

/// The path that leads from one absolute path to another.
fn relative(windows: bool, from: &[u16], to: &[u16]) -> Vec<u16> {
    let is_same = |a: &[u16], b: &[u16]| if windows { is_same_name(a, b) } else { a == b };
    if is_same(from, to) {
        return Vec::new();
    }
    let separator = if windows { BACKSLASH } else { SLASH };
    let segments = |path: &'_ [u16]| -> Vec<Vec<u16>> {
        path.split(|unit| *unit == separator)
            .filter(|name| !name.is_empty())
            .map(<[u16]>::to_vec)
            .collect()
    };
    let (source, target) = (segments(from), segments(to));
    let shared = source.iter().zip(&target).take_while(|(a, b)| is_same(a, b)).count();
    // No relative path leads to another drive or share.
    if windows && shared == 0 && !source.is_empty() && !target.is_empty() {
        return to.to_vec();
    }
    let up = std::iter::repeat_n(vec![DOT, DOT], source.len() - shared);
    up.chain(target[shared..].iter().cloned()).collect::<Vec<_>>().join(&separator)
}

/// The bounds of the last name after `start`, without trailing separators.
fn last_name(windows: bool, path: &[u16], start: usize) -> (usize, usize) {
    let is_separator = |unit: &u16| is_separator(windows, *unit);
    let rest = &path[start.min(path.len())..];
    let end = rest.iter().rposition(|unit| !is_separator(unit)).map_or(0, |last| last + 1);
    let from = rest[..end].iter().rposition(is_separator).map_or(0, |last| last + 1);
    (start + from, start + end)
}

/// Where the directory ends; `None` for the current one.
fn dirname_posix(path: &[u16]) -> Option<usize> {
    let (from, _) = last_name(false, path, 0);
    let is_absolute = path.first() == Some(&SLASH);
    match from {
        0 => is_absolute.then_some(1),
        1 => Some(1),
        // "//name" is in "//", not in "/".
        2 if is_absolute => Some(2),
        _ => Some(from - 1),
    }
}

fn dirname_windows(path: &[u16]) -> Option<usize> {
    if path.len() <= 1 {
        return path.first().filter(|unit| is_separator(true, **unit)).map(|_| 1);
    }
    let root = Root::of(path, false);
    if root.is_share_only {
        return Some(path.len());
    }
    let start = root.end_with_separator();
    let (from, _) = last_name(true, path, start);
    if from <= start {
        return (start > 0).then_some(start.min(path.len()));
    }
    Some(start.max(from - 1))
}

fn basename<'a>(windows: bool, path: &'a [u16], suffix: Option<&[u16]>) -> &'a [u16] {
    if suffix == Some(path) {
        return &[];
    }
    let (from, end) = last_name(windows, path, if windows && has_drive(path) { 2 } else { 0 });
    let name = &path[from..end];
    match suffix.and_then(|suffix| name.strip_suffix(suffix)) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// ".profile" and ".." have no extension, "a." has ".".
fn extension(name: &[u16]) -> &[u16] {
    match name.iter().rposition(|unit| *unit == DOT) {
        None | Some(0) => &[],
        Some(_) if name == [DOT, DOT] => &[],
        Some(dot) => &name[dot..],
    }
}

/// The root, the directory, the base name, the extension and the name without it.
type Parts<'a> = [&'a [u16]; 5];

fn parse_posix(path: &[u16]) -> Parts<'_> {
    let root = &path[..usize::from(path.first() == Some(&SLASH))];
    let (from, end) = last_name(false, path, 0);
    let base = &path[from..end];
    // Node takes the second dot of "/.." for an extension.
    let ext = if base == [DOT, DOT] && from == 1 { &base[1..] } else { extension(base) };
    // The directory is not normalized; it ends before the slash of the base name.
    let dir = if base.is_empty() || from <= 1 { root } else { &path[..from - 1] };
    [root, dir, base, ext, &base[..base.len() - ext.len()]]
}

fn parse_windows(path: &[u16]) -> Parts<'_> {
    let root = Root::of(path, false);
    if root.is_share_only {
        return [path, path, &[], &[], &[]];
    }
    let root = &path[..root.end_with_separator().min(path.len())];
    let (from, end) = last_name(true, path, root.len());
    let base = &path[from..end];
    let ext = extension(base);
    let dir = if !base.is_empty() && from > root.len() { &path[..from - 1] } else { root };
    [root, dir, base, ext, &base[..base.len() - ext.len()]]
}

fn to_namespaced(path: Vec<u16>, resolved: Vec<u16>) -> Vec<u16> {
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    match resolved.as_slice() {
        [] | [_] | [_, _] => path,
        [_, _, BACKSLASH, ..] if has_drive(&resolved) => [units(r"\\?\"), resolved].concat(),
        [BACKSLASH, BACKSLASH, kind, rest @ ..] if ![QUESTION, DOT].contains(kind) => {
            [units(r"\\?\UNC\").as_slice(), &[*kind], rest].concat()
        }
        _ => resolved,
    }
}

/// The root of a path in the style of Windows.
#[derive(Default)]
struct Root {
    /// "C:", "\\server\share" or nothing.
    device: Vec<u16>,
    end: usize,
    is_absolute: bool,
    is_share_only: bool,
}

impl Root {
    /// Parses the root. With `has_devices`, "\\.\COM1" is a device and no share.
    fn of(path: &[u16], has_devices: bool) -> Self {
        if path.first().is_some_and(|unit| is_separator(true, *unit)) {
            return Self::share(path, has_devices).unwrap_or_else(|| Self {
                end: 1,
                is_absolute: true,
                ..Self::default()
            });
        }
        if !has_drive(path) {
            return Self::default();
        }
        let is_absolute = path.get(2).is_some_and(|unit| is_separator(true, *unit));
        let end = if is_absolute { 3 } else { 2 };
        Self { device: path[..2].to_vec(), end, is_absolute, is_share_only: false }
    }

    /// Parses "\\server\share".
    fn share(path: &[u16], has_devices: bool) -> Option<Self> {
        let name_end = |start: usize, is_name: bool| {
            let rest = path.get(start..)?;
            let length =
                rest.iter().take_while(|unit| is_separator(true, **unit) != is_name).count();
            (length > 0).then_some(start + length)
        };
        if name_end(0, false)? != 2 {
            return None;
        }
        let server_end = name_end(2, true)?;
        let share_start = name_end(server_end, false)?;
        let end = name_end(share_start, true)?;
        let prefix = [BACKSLASH, BACKSLASH];
        let server = &path[2..server_end];
        if has_devices && (server == [DOT] || server == [QUESTION]) {
            let device = [prefix.as_slice(), server].concat();
            return Some(Self { device, end: 4, is_absolute: true, is_share_only: false });
        }
        let device = [prefix.as_slice(), server, &[BACKSLASH], &path[share_start..end]].concat();
        Some(Self { device, end, is_absolute: true, is_share_only: end == path.len() })
    }

    /// The root of a share includes the separator after it.
    fn end_with_separator(&self) -> usize {
        self.end + usize::from(self.device.first() == Some(&BACKSLASH) && !self.is_share_only)
    }
}

/// Whether the path begins with a drive, such as "C:".
fn has_drive(path: &[u16]) -> bool {
    let is_letter = |unit: u16| u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphabetic());
    matches!(path, [letter, COLON, ..] if is_letter(*letter))
}

/// Compares names without case.
fn is_same_name(a: &[u16], b: &[u16]) -> bool {
    let lower = |name: &[u16]| String::from_utf16_lossy(name).to_lowercase();
    a == b || lower(a) == lower(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn text(units: &[u16]) -> String {
        String::from_utf16(units).expect("UTF-16")
    }

    #[test]
    fn paths_are_normalized() {
        let posix = |path: &str| text(&normalize_posix(&units(path)));
        assert_eq!(posix("./a//b/../c/"), "a/c/");
        assert_eq!(posix("/../a"), "/a");
        assert_eq!(posix(""), ".");
        let windows = |path: &str| text(&normalize_windows(&units(path)));
        assert_eq!(windows(r"C:/a/..\b"), r"C:\b");
        assert_eq!(windows(r"//server/share"), r"\\server\share\");
        assert_eq!(windows("./c:/x"), r".\c:\x");
        assert_eq!(windows("a:"), "a:.");
    }

    #[test]
    fn a_relative_path_leads_to_the_other_path() {
        let posix = |from: &str, to: &str| text(&relative(false, &units(from), &units(to)));
        assert_eq!(posix("/a/b", "/a/c/d"), "../c/d");
        let windows = |from: &str, to: &str| text(&relative(true, &units(from), &units(to)));
        assert_eq!(windows(r"C:\A\b", r"c:\a\d"), r"..\d");
        assert_eq!(windows(r"C:\a", r"D:\a"), r"D:\a");
    }

    #[test]
    fn a_path_is_parsed_into_its_parts() {
        let parts = |path: &str, windows: bool| {
            let path = units(path);
            let parts = if windows { parse_windows(&path) } else { parse_posix(&path) };
            parts.map(text).join("|")
        };
        assert_eq!(parts("/a/b.tar.gz", false), "/|/a|b.tar.gz|.gz|b.tar");
        assert_eq!(parts(r"\\server\share\a.b", true), r"\\server\share\|\\server\share\|a.b|.b|a");
    }
}

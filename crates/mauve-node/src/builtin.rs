//! The modules that come with the command, as text.

/// Each module's id and its text.
static MODULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// The text of a module.
pub(crate) fn source(id: &str) -> Option<&'static str> {
    let place = MODULES.binary_search_by_key(&id, |(id, _)| id).ok()?;
    Some(MODULES[place].1)
}

/// The modules that scripts may require.
pub(crate) fn public_ids() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(id, _)| *id).filter(|id| !id.starts_with("internal/"))
}

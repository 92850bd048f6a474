//! The sources of the built-in JavaScript modules.

/// The id and the source of each module, sorted by id.
static MODULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// Returns the source of a module.
pub(crate) fn source(id: &str) -> Option<&'static str> {
    let index = MODULES.binary_search_by_key(&id, |(id, _)| id).ok()?;
    Some(MODULES[index].1)
}

/// The ids of the modules that scripts may require.
pub(crate) fn public_ids() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(id, _)| *id).filter(|id| !id.starts_with("internal/"))
}

//! Compares `JSON.stringify` with that of the engine.

use rquickjs::{Context, Ctx, Function, Runtime};

/// Creates random values, most of which call functions of the script while they are serialized.
const COMPARE: &str = include_str!("compare.js");

/// Runs a test in a context. Like that of a script, it is never dropped.
fn with(test: impl FnOnce(&Ctx<'_>)) {
    let runtime = Runtime::new().expect("a runtime");
    let context = Context::full(&runtime).expect("a context");
    std::mem::forget((runtime, context.clone()));
    context.with(|ctx| test(&ctx));
}

#[test]
fn random_values_have_the_same_text_and_effects_as_in_the_engine() {
    with(|ctx| {
        let native: Function<'_> = ctx.eval("JSON.stringify").expect("a function");
        super::install(ctx).expect("an installed function");
        let compare: Function<'_> = ctx.eval(COMPARE).expect("a function");
        let difference: Option<String> = compare.call((native,)).unwrap_or_else(|_| {
            let thrown = ctx.catch();
            panic!("{:?}", thrown.as_exception().map(ToString::to_string));
        });
        assert_eq!(difference, None);
    });
}

#[test]
fn the_function_looks_like_that_of_the_engine() {
    with(|ctx| {
        let describe = "(() => {
            const { stringify } = JSON;
            let isConstructor = true;
            try { new stringify(1); } catch { isConstructor = false; }
            return JSON.stringify([
                Object.getOwnPropertyDescriptors(stringify), String(stringify), isConstructor,
                { ...Object.getOwnPropertyDescriptor(JSON, 'stringify'), value: 0 },
            ]);
        })()";
        let native: String = ctx.eval(describe).expect("a text");
        super::install(ctx).expect("an installed function");
        assert_eq!(ctx.eval::<String, _>(describe).expect("a text"), native);
    });
}

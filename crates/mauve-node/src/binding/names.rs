//! The names of properties that native functions read and write often.

/// Defines a struct `Names`, whose fields are names of properties.
macro_rules! names {
    ($($field:ident: $name:literal),* $(,)?) => {
        /// The names of the properties.
        struct Names {
            $($field: mauve_quickjs::SavedAtom,)*
        }

        impl Names {
            fn new(ctx: &rquickjs::Ctx<'_>) -> rquickjs::Result<Self> {
                Ok(Self { $($field: mauve_quickjs::SavedAtom::new(ctx, $name)?,)* })
            }
        }
    };
}

pub(super) use names;

//! The structured clone algorithm, in the format of V8: for `structuredClone`, messages between threads, and
//! `v8.serialize`.
//!
//! JavaScript provides a kit: functions for what only the language can do (the value of a `Date`, the entries of a
//! `Map`), and samples of the classes.

use std::cell::RefCell;

use mauve_quickjs::{Local, SharedMemory};
use rquickjs::{ArrayBuffer, Ctx, Function, IntoJs, Object, Persistent, Result, Value};

use super::define;
use crate::host::views::{self, Bytes};

mod reader;
mod writer;

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "setKit", |kit: Object<'js>| set_kit(&kit))?;
    define(
        object,
        "serialize",
        |ctx: Ctx<'js>, value: Value<'js>, transferred: Vec<Value<'js>>, has_host_views: bool| {
            SHARED.take();
            let bytes = writer::serialize(&ctx, value, &transferred, has_host_views)?;
            views::array(&ctx, bytes)
        },
    )?;
    define(object, "deserialize", |ctx: Ctx<'js>, bytes: Bytes, transferred: Vec<Value<'js>>| {
        reader::deserialize(&ctx, bytes.0, transferred)
    })
}

thread_local! {
    /// The shared memory of the value that was serialized, or that is being deserialized.
    static SHARED: RefCell<Vec<SharedMemory>> = RefCell::default();
}

/// Takes the shared memory of the value that was serialized last.
pub(super) fn take_shared() -> Vec<SharedMemory> {
    SHARED.take()
}

/// Sets the shared memory of the value that is deserialized next.
pub(super) fn set_shared(memory: Vec<SharedMemory>) {
    SHARED.set(memory);
}

/// Values nested deeper than this are an error, as in Node, where the limit depends on the stack.
const MAX_DEPTH: usize = 2000;

/// The classes that have a form of their own. The samples of the kit have this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Array,
    Date,
    RegExp,
    Map,
    Set,
    Buffer,
    SharedBuffer,
    Error,
    View,
    Boxed,
    Refused,
}

impl Class {
    /// The class of the sample with this position: views begin at 9, boxed values at 21, and values that cannot be
    /// cloned at 25.
    fn of_sample(index: usize) -> Self {
        const FIRST: [Class; 9] = [
            Class::Plain,
            Class::Array,
            Class::Date,
            Class::RegExp,
            Class::Map,
            Class::Set,
            Class::Buffer,
            Class::SharedBuffer,
            Class::Error,
        ];
        match index {
            0..9 => FIRST[index],
            9..21 => Self::View,
            21..25 => Self::Boxed,
            _ => Self::Refused,
        }
    }
}

struct Kit {
    functions: Persistent<Object<'static>>,
    /// The classes of the engine.
    classes: Vec<(u32, Class)>,
}

thread_local! {
    static KIT: RefCell<Option<Kit>> = const { RefCell::new(None) };
}

fn set_kit(kit: &Object<'_>) -> Result<()> {
    let ctx = kit.ctx();
    let samples: Vec<Value<'_>> = kit.get("samples")?;
    let class = |(index, sample)| (Local::new(ctx, sample).class_id(), Class::of_sample(index));
    let classes = samples.iter().enumerate().map(class).collect();
    KIT.set(Some(Kit { functions: Persistent::save(ctx, kit.clone()), classes }));
    Ok(())
}

/// The kit while a value is serialized.
struct Tools<'js> {
    ctx: Ctx<'js>,
    functions: Object<'js>,
    classes: Vec<(u32, Class)>,
}

impl<'js> Tools<'js> {
    fn new(ctx: &Ctx<'js>) -> Result<Self> {
        let (functions, classes) = KIT
            .with_borrow(|kit| kit.as_ref().map(|kit| (kit.functions.clone(), kit.classes.clone())))
            .ok_or(rquickjs::Error::Unknown)?;
        Ok(Self { ctx: ctx.clone(), functions: functions.restore(ctx)?, classes })
    }

    fn class(&self, value: &Value<'js>) -> Class {
        let id = Local::new(&self.ctx, value).class_id();
        // Objects of other classes are cloned like plain ones.
        let found = self.classes.iter().find(|(class, _)| *class == id);
        found.map_or(Class::Plain, |(_, class)| *class)
    }

    /// Calls a function of the kit.
    fn call<R: rquickjs::FromJs<'js>>(
        &self,
        name: &str,
        args: impl rquickjs::function::IntoArgs<'js>,
    ) -> Result<R> {
        self.functions.get::<_, Function<'js>>(name)?.call(args)
    }
}

/// Throws the error that stands for a stack overflow.
fn too_deep<T>(ctx: &Ctx<'_>) -> Result<T> {
    Err(rquickjs::Exception::throw_range(ctx, "Maximum call stack size exceeded"))
}

/// Creates an `ArrayBuffer` that owns `bytes`.
pub(super) fn buffer<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Value<'js>> {
    ArrayBuffer::new(ctx.clone(), bytes)?.into_js(ctx)
}

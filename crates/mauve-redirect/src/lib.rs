//! Makes programs that have libuv linked in run on mauve. Loaded with `LD_PRELOAD`; `mauve with` does that.
//!
//! Before `main`, and after each `dlopen`, every loaded object that exports libuv's functions is
//! redirected: the beginning of each function becomes a jump to the function of the same name in mauve's
//! `libuv.so.1`. That library is `MAUVE_LIB`, or the file beside this object, and is loaded only if there
//! is something to redirect. Child processes inherit the environment, and so the redirection.
//!
//! * [`objects`]: the loaded objects, and the functions that they export.
//! * [`check`]: whether the object's libuv can be replaced: version, layouts, completeness.
//! * [`patch`]: writes the jumps, all of them or none. [`jump`] has the instructions.
//! * [`dlopen`]: redirects objects that are loaded later.
//! * [`lock`]: one thread does so at a time.
//! * [`v8_log`]: a file that V8 would leave behind.
//!
//! An object of its own, because it must export `dlopen`, and because the C library must then not be in
//! the global scope, where it would replace functions that no check has seen.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]

mod check;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod dlopen;
mod jump;
mod library;
mod lock;
mod objects;
mod patch;
mod v8_log;

use library::Library;
use lock::Lock;
use objects::{Object, Seen};

/// What has been done in this process.
struct Redirector {
    seen: Seen,
    /// mauve's library, once it is needed.
    library: Option<Library>,
    /// The object that uses mauve's library.
    user: Option<String>,
    /// An object was refused. mauve's library might bind to its functions, so it is used no more.
    refused: bool,
    /// How many objects had been loaded by their names.
    by_name: usize,
}

impl Redirector {
    const fn new() -> Self {
        Self { seen: Seen::new(), library: None, user: None, refused: false, by_name: 0 }
    }
}

static REDIRECTOR: Lock<Redirector> = Lock::new(Redirector::new());

/// Redirects the program, before its own initialisation and `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = redirect_program;

extern "C" fn redirect_program() {
    // The constructor of another library may have started a thread, which may run the program's libuv.
    let is_late = objects::has_started_threads();
    let is_late = is_late.then_some("a library has started a thread before `main`");
    REDIRECTOR.with(Redirector::new, |redirector| redirector.redirect_new_objects(is_late));
    v8_log::hide();
}

impl Redirector {
    /// Redirects the objects that were loaded since the last call. `is_late` says why functions of these
    /// objects may be in use, if so.
    fn redirect_new_objects(&mut self, is_late: Option<&str>) {
        if self.refused {
            return;
        }
        for object in objects::loaded(&mut self.seen, check::has_libuv) {
            if let Err(why) = self.redirect(&object, is_late) {
                self.refused = true;
                eprintln!("mauve: {} keeps its own libuv: {why}", object.name());
                return;
            }
        }
    }

    fn redirect(&mut self, object: &Object, is_late: Option<&str>) -> Result<(), String> {
        object.pin()?;
        let version = check::version(object)?;
        if version.is_mauve() {
            if self.library.is_none() {
                // The program is linked with mauve's library.
                self.user = Some(object.name());
            }
            return Ok(());
        }
        if let Some(why) = is_late {
            return Err(why.to_owned());
        }
        if let Some(user) = &self.user {
            return Err(format!("{user} runs on mauve, and each has a default loop of its own"));
        }
        let library = match &self.library {
            Some(library) => library,
            None => self.library.insert(Library::load()?),
        };
        let replacements = library.replacements(object)?;
        check::compatible(object, &version, library.object())?;
        patch::redirect(object, &replacements)?;
        self.user = Some(object.name());
        Ok(())
    }
}

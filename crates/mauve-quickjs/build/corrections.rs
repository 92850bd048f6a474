//! The corrections of QuickJS-NG. Each names a place by a few tokens, and says what is written there.

/// What a correction does with its place.
pub enum Edit {
    /// Adds lines before the line of the place.
    Before(&'static str),
    /// Adds lines after the line of the place.
    After(&'static str),
    /// Writes something instead of the tokens.
    Instead(&'static str),
}

use Edit::{After, Before, Instead};

/// A name, the tokens that lead to the place, and the edit. The first tokens occur once in the file, and the others
/// once in the few lines after those before them.
pub type Correction = (&'static str, &'static [&'static str], Edit);

pub const CORRECTIONS: &[Correction] = &[
    // The position of a call is that of the method's name, of a called variable, of `new`, or else of
    // the opening parenthesis. It is stored behind the arguments, which may have calls of their own.
    (
        "positions: the start of an expression",
        &["bool accept_lparen ="],
        After(
            "    int start_line = s->token.line_num, start_col = s->token.col_num;
    int name_line = start_line, name_col = start_col;
    int call_line = start_line, call_col = start_col;",
        ),
    ),
    (
        "positions: new, before its operand",
        &["\"new.target only allowed", "emit_source_loc(s);"],
        Instead(""),
    ),
    (
        "positions: new without arguments",
        &["/* new operator on an object */"],
        After("                emit_source_loc_at(s, start_line, start_col);"),
    ),
    (
        "positions: the name of a function that is called",
        &["parse_func_call2:", "emit_source_loc(s);"],
        Instead(
            "switch(get_prev_opcode(fd)) {
                case OP_get_field:
                case OP_get_field_opt_chain:
                case OP_scope_get_private_field:
                    call_line = name_line;
                    call_col = name_col;
                    break;
                case OP_scope_get_var:
                    call_line = start_line;
                    call_col = start_col;
                    break;
                }",
        ),
    ),
    (
        "positions: the parenthesis of a call",
        &["parse_func_call:"],
        After(
            "            if (call_type == FUNC_CALL_NORMAL) {
                call_line = s->token.line_num;
                call_col = s->token.col_num;
            } else {
                call_line = start_line;
                call_col = start_col;
            }",
        ),
    ),
    (
        "positions: a tagged template",
        &["call_type = FUNC_CALL_TEMPLATE;"],
        After(
            "            call_line = s->token.line_num;
            call_col = s->token.col_num;",
        ),
    ),
    (
        "positions: a call with spread arguments",
        &["/* apply function call */"],
        After("                emit_source_loc_at(s, call_line, call_col);"),
    ),
    (
        "positions: a call",
        &["emit_func_call:"],
        After("                emit_source_loc_at(s, call_line, call_col);"),
    ),
    (
        "positions: the name of a property",
        &["\"expecting field name\"", "OP_get_super_value", "emit_op(s, OP_get_field);"],
        Before("                    emit_source_loc(s);"),
    ),
    (
        "positions: a name",
        &["emit_op(s, OP_scope_get_private_field);", "if (!token_is_ident("],
        Before(
            "                name_line = s->token.line_num;
                name_col = s->token.col_num;",
        ),
    ),
    (
        "positions: a private name",
        &["emit_op(s, OP_scope_get_private_field);"],
        Before(
            "                name_line = s->token.line_num;
                name_col = s->token.col_num;
                emit_source_loc(s);",
        ),
    ),
    (
        "positions: an index",
        &["parse_array_access:", "js_parse_expect(s, ']')", "emit_op(s, OP_get_array_el);"],
        Before("                emit_source_loc_at(s, call_line, call_col);"),
    ),
    (
        "positions: the bracket of an index",
        &["parse_array_access:"],
        After(
            "            call_line = s->token.line_num;
            call_col = s->token.col_num;",
        ),
    ),
    (
        "positions: the start of a token that is no name",
        &["int next_token(JSParseState *s)\n{", "free_token(", " redo:", "c = *p;"],
        Before("    s->mark = p;"),
    ),
    (
        "positions: an assignment",
        &["op <= TOK_POW_ASSIGN)) {", "int label;"],
        Instead("int label, op_line = s->token.line_num, op_col = s->token.col_num;"),
    ),
    (
        "positions: an assignment to a property",
        &["PUT_LVALUE_KEEP_TOP, false);"],
        Before(
            "        if (opcode == OP_get_field || opcode == OP_get_array_el)
            emit_source_loc_at(s, op_line, op_col);",
        ),
    ),
    (
        "positions: a loop",
        &["yet-created iterator */"],
        After("        emit_source_loc_at(s, of_line, of_col);"),
    ),
    (
        "positions: the expression of a loop",
        &["expected 'of' or 'in' in for", "if (is_for_of) {"],
        Before("    int of_line = s->token.line_num, of_col = s->token.col_num;"),
    ),
    (
        "positions: the columns of the first line",
        &["skip_shebang(&s->buf_ptr"],
        Before("    s->eol = s->buf_start - 1;"),
    ),
    // The name of a module for an `import()` in the text of `eval` or `Function`: that of the caller.
    (
        "import() in eval",
        &["basename = JS_GetScriptOrModuleName(ctx, 0)"],
        Instead("basename = js_import_base(ctx)"),
    ),
    (
        "import() in eval: the caller",
        &["static JSValue js_dynamic_import_job("],
        Before(
            "static JSAtom js_import_base(JSContext *ctx)
{
    JSStackFrame *sf;
    JSAtom name;
    const char *text;
    int level, is_eval;

    level = 0;
    for(sf = ctx->rt->current_stack_frame; sf != NULL; sf = sf->prev_frame) {
        name = JS_GetScriptOrModuleName(ctx, level++);
        if (name == JS_ATOM_NULL)
            continue;
        text = JS_AtomToCString(ctx, name);
        is_eval = text != NULL && !strcmp(text, \"<input>\");
        JS_FreeCString(ctx, text);
        if (!is_eval)
            return name;
        JS_FreeAtom(ctx, name);
    }
    return JS_GetScriptOrModuleName(ctx, 0);
}
",
        ),
    ),
    // Requests that wait behind one of a completed generator are handled, too.
    (
        "async generators: requests behind next() and throw()",
        &["js_async_generator_completed_return(ctx, s, next->result);", "goto done;"],
        Instead("break;"),
    ),
    (
        "async generators: no request behind a return()",
        &["js_async_generator_completed_return(ctx, s, next->result);"],
        After("                goto done;"),
    ),
    (
        "async generators: requests behind return()",
        &["js_async_generator_resolve(ctx, s, arg, true);\n        }"],
        After("        js_async_generator_resume_next(ctx, s);"),
    ),
    // Arguments of apply() and spreads are on the heap, so only memory limits them.
    (
        "spreads of more than 65,535 arguments",
        &["len > JS_MAX_LOCAL_VARS"],
        Instead("len > JS_MAX_APPLY_ARGUMENTS"),
    ),
    (
        "spreads: the error of too many arguments",
        &[
            "len > JS_MAX_APPLY_ARGUMENTS",
            "\"too many arguments in function call (only %d allowed)\",",
        ],
        Instead("\"Maximum call stack size exceeded\","),
    ),
    (
        "spreads: the limit",
        &["#define JS_MAX_LOCAL_VARS"],
        After("#define JS_MAX_APPLY_ARGUMENTS 8000000"),
    ),
    // Atomics.waitAsync: waiters without a thread are in the list of the others, and a function wakes their loop.
    (
        "waitAsync: waiters",
        &["} JSAtomicsWaiter;"],
        Before(
            "    void *waker; /* of a waiter without a thread */
    int64_t order;
    JSRuntime *runtime; /* of a waiter with a thread */
    bool interrupted;",
        ),
    ),
    (
        "waitAsync: the functions of the host",
        &["static js_once_t js_atomics_once"],
        Before(
            "static int64_t js_atomics_order;
static struct mauve_wait_functions {
    void *(*waker)(void);
    void (*wake)(void *waker);
    JSValue (*start)(JSContext *ctx, void *waiter, double timeout, JSValueConst array);
} js_async_wait;

static JSValue js_atomics_interrupted(JSContext *ctx)
{
    JS_ThrowInternalError(ctx, \"interrupted\");
    JS_SetUncatchableError(ctx, ctx->rt->current_exception);
    return JS_EXCEPTION;
}

void mauve_set_wait_functions(const struct mauve_wait_functions *functions)
{
    js_async_wait = *functions;
}
",
        ),
    ),
    (
        "waitAsync: one function for both",
        &["js_atomics_wait(JSContext *ctx,"],
        Instead("js_atomics_wait_any(JSContext *ctx, bool is_async,"),
    ),
    (
        "waitAsync: any thread may call it",
        &["if (!ctx->rt->can_block)"],
        Instead("if (!is_async && !ctx->rt->can_block)"),
    ),
    (
        "waitAsync: a thread has a condition",
        &["waiter = &waiter_s;"],
        After(
            "    waiter->waker = NULL;
    waiter->runtime = ctx->rt;
    waiter->interrupted = false;",
        ),
    ),
    (
        "waitAsync: the waiter",
        &["waiter = &waiter_s;"],
        Before(
            "    if (is_async) {
        void *waker = d <= 0 ? NULL : js_async_wait.waker();
        waiter = waker ? calloc(1, sizeof(*waiter)) : NULL;
        if (waiter) {
            waiter->waker = waker;
            waiter->ptr = ptr;
            waiter->linked = true;
            list_add_tail(&waiter->link, &js_atomics_waiter_list);
        }
        js_mutex_unlock(&js_atomics_mutex);
        if (d <= 0)
            return JS_AtomToString(ctx, JS_ATOM_timed_out);
        if (!waiter)
            return JS_ThrowTypeError(ctx, \"Atomics.waitAsync cannot be called in this context\");
        return js_async_wait.start(ctx, waiter, isnan(d) ? INFINITY : d, argv[0]);
    }
    if (ctx->rt->interrupt_handler && ctx->rt->interrupt_handler(ctx->rt, ctx->rt->interrupt_opaque)) {
        js_mutex_unlock(&js_atomics_mutex);
        return js_atomics_interrupted(ctx);
    }",
        ),
    ),
    (
        "wait: the end of a thread",
        &["js_cond_destroy(&waiter->cond);"],
        After(
            "    if (waiter->interrupted)
        return js_atomics_interrupted(ctx);",
        ),
    ),
    (
        "waitAsync: notify()",
        &["js_cond_signal(&waiter->cond);"],
        Instead(
            "if (waiter->waker) {
                waiter->order = ++js_atomics_order;
                js_async_wait.wake(waiter->waker);
            } else {
                js_cond_signal(&waiter->cond);
            }",
        ),
    ),
    (
        "waitAsync: the functions",
        &["static JSValue js_atomics_notify("],
        Before(
            "static JSValue js_atomics_wait(JSContext *ctx, JSValueConst this_obj,
                               int argc, JSValueConst *argv)
{
    return js_atomics_wait_any(ctx, false, this_obj, argc, argv);
}

static JSValue js_atomics_wait_async(JSContext *ctx, JSValueConst this_obj,
                                     int argc, JSValueConst *argv)
{
    JSValue value, result;

    value = js_atomics_wait_any(ctx, true, this_obj, argc, argv);
    if (JS_IsException(value))
        return value;
    result = JS_NewObject(ctx);
    if (JS_IsException(result)) {
        JS_FreeValue(ctx, value);
        return result;
    }
    JS_DefinePropertyValueStr(ctx, result, \"async\", js_bool(!JS_IsString(value)), JS_PROP_C_W_E);
    JS_DefinePropertyValueStr(ctx, result, \"value\", value, JS_PROP_C_W_E);
    return result;
}

/* When a waiter was notified, or 0. With `cancel`, one that was not notified leaves the list. */
int64_t mauve_wait_order(void *opaque, int cancel)
{
    JSAtomicsWaiter *waiter = opaque;
    int64_t order;

    js_mutex_lock(&js_atomics_mutex);
    order = waiter->order;
    if (cancel && waiter->linked) {
        list_del(&waiter->link);
        waiter->linked = false;
    }
    js_mutex_unlock(&js_atomics_mutex);
    return order;
}

/* Ends the waits that block the thread of a runtime, which throw an error that no script can catch. */
void mauve_wait_interrupt(const void *runtime)
{
    struct list_head *el, *el1;
    JSAtomicsWaiter *waiter;

    js_mutex_lock(&js_atomics_mutex);
    list_for_each_safe(el, el1, &js_atomics_waiter_list) {
        waiter = list_entry(el, JSAtomicsWaiter, link);
        if (!waiter->waker && waiter->runtime == runtime) {
            list_del(&waiter->link);
            waiter->linked = false;
            waiter->interrupted = true;
            js_cond_signal(&waiter->cond);
        }
    }
    js_mutex_unlock(&js_atomics_mutex);
}

/* Returns what wakes its loop. */
void *mauve_wait_free(void *opaque)
{
    JSAtomicsWaiter *waiter = opaque;
    void *waker = waiter->waker;

    mauve_wait_order(waiter, 1);
    (free)(waiter); /* not the macro */
    return waker;
}
",
        ),
    ),
    (
        "waitAsync: its name",
        &["JS_CFUNC_DEF(\"wait\", 4"],
        After("    JS_CFUNC_DEF(\"waitAsync\", 4, js_atomics_wait_async ),"),
    ),
    // Positions and texts for V8's messages of values that cannot be destructured, or spread.
    (
        "destructuring: the position of an object pattern",
        &["assign_addr = s->cur_func->byte_code.size;"],
        After("    int pattern_line = s->token.line_num, pattern_col = s->token.col_num;"),
    ),
    (
        "destructuring: the check of the value",
        &["/* throw an exception if the value cannot be converted to an object */"],
        After("        emit_source_loc_at(s, pattern_line, pattern_col);"),
    ),
    (
        "destructuring: the message",
        &["CASE(OP_to_object):", "sf->cur_pc = pc;"],
        After(
            "                if (JS_IsNull(sp[-1]) || JS_IsUndefined(sp[-1])) {
                    JS_ThrowTypeError(ctx, \"cannot destructure %s\", JS_IsNull(sp[-1]) ? \"null\" : \"undefined\");
                    goto exception;
                }",
        ),
    ),
    (
        "destructuring: an array pattern",
        &["int enum_depth;", "push_break_entry(s->cur_func,"],
        Before("        emit_source_loc_at(s, source_line_num, source_col_num);"),
    ),
    (
        "spreads: the position of an argument",
        &["/* on stack: array idx */", "if (s->token.val == TOK_ELLIPSIS) {"],
        After("                        int spread_line = s->token.line_num, spread_col = s->token.col_num;"),
    ),
    (
        "spreads: an argument",
        &["int spread_line", "emit_op(s, OP_append);"],
        Before("                        emit_source_loc_at(s, spread_line, spread_col);"),
    ),
    (
        "spreads: the position of an element",
        &["/* stack has array, index */", "if (next_token(s))\n                return -1;"],
        After("            int element_line = s->token.line_num, element_col = s->token.col_num;"),
    ),
    (
        "spreads: an element",
        &["int element_line", "emit_op(s, OP_append);"],
        Before("            emit_source_loc_at(s, element_line, element_col);"),
    ),
    // Where a value that is no error was thrown: it has no stack.
    (
        "throw: the place",
        &["CASE(OP_throw):"],
        After("            mauve_note_throw(ctx, sf, pc, sp[-1]);"),
    ),
    (
        "throw: the note",
        &["static JSValue JS_CallInternal(JSContext *caller_ctx,"],
        Before(
            "static _Thread_local char js_throw_place[1024];

const char *mauve_throw_place(void)
{
    return js_throw_place;
}

static void mauve_note_throw(JSContext *ctx, JSStackFrame *sf, const uint8_t *pc, JSValueConst value)
{
    JSFunctionBytecode *b = JS_VALUE_GET_OBJ(sf->cur_func)->u.func.function_bytecode;
    char file[900];
    int line, col;

    /* The modules of the host throw again what they catch. */
    if (JS_IsError(value) || !b->filename ||
        !strncmp(JS_AtomGetStr(ctx, file, sizeof(file), b->filename), \"node:\", 5))
        return;
    line = find_line_num(ctx, b, pc - b->byte_code_buf - 1, &col);
    snprintf(js_throw_place, sizeof(js_throw_place), \"%s:%d:%d\",
             file, line, col);
}
",
        ),
    ),
    // A `for await` whose body throws awaits the result of return(), whose errors are ignored.
    (
        "for await: the body",
        &["/* `next` part ends with a goto */", "emit_label(s, label_body);"],
        After(
            "    int label_thrown = -1, label_finally = -1, label_end = -1;
    BlockEnv thrown_env;

    if (is_async) {
        label_thrown = new_label(s);
        label_finally = new_label(s);
        emit_goto(s, OP_catch, label_thrown);
        push_break_entry(fd, &thrown_env, JS_ATOM_NULL, -1, -1, 1);
        thrown_env.label_finally = label_finally;
    }",
        ),
    ),
    (
        "for await: an exception of the body",
        &[
            "label_thrown = -1",
            "thrown_env.label_finally = label_finally;",
            "BlockEnv using_be;",
            "had_using_be = 1;",
            "pop_break_entry(fd);",
            "OP_using_dispose_end);",
            "using_label_catch);",
            "close_scopes(s, s->cur_func->scope_level, block_scope_level);",
        ],
        After(
            "    if (is_async) {
        int thrown_idx, iterator_idx, label_ignored, label_throw;

        thrown_idx = add_var(ctx, fd, JS_ATOM__ret_);
        iterator_idx = add_var(ctx, fd, JS_ATOM__ret_);
        if (thrown_idx < 0 || iterator_idx < 0)
            return -1;
        pop_break_entry(fd);
        if (js_is_live_code(s)) {
            emit_op(s, OP_drop);
            label_end = emit_goto(s, OP_goto, -1);
        }
        emit_label(s, label_thrown);
        /* stack: iter_obj next catch_offset exception */
        emit_op(s, OP_put_loc);
        emit_u16(s, thrown_idx);
        emit_op(s, OP_drop);
        emit_op(s, OP_drop);
        emit_op(s, OP_put_loc);
        emit_u16(s, iterator_idx);
        label_ignored = emit_goto(s, OP_catch, -1);
        emit_op(s, OP_get_loc);
        emit_u16(s, iterator_idx);
        emit_op(s, OP_undefined);
        emit_op(s, OP_undefined);
        emit_iterator_close(s, true, false);
        emit_op(s, OP_drop);
        label_throw = emit_goto(s, OP_goto, -1);
        emit_label(s, label_ignored);
        emit_op(s, OP_drop);
        emit_label(s, label_throw);
        emit_op(s, OP_get_loc);
        emit_u16(s, thrown_idx);
        emit_op(s, OP_throw);
        emit_label(s, label_finally);
        emit_op(s, OP_ret);
        emit_label(s, label_end);
    }
",
        ),
    ),
];

//! The corrections of QuickJS-NG: a name, the text that is replaced, and what replaces it.

pub const CORRECTIONS: &[(&str, &str, &str)] = &[
    // The position of a call is that of the method's name, of a called variable, of `new`, or else of
    // the opening parenthesis. It is stored behind the arguments, which may have calls of their own.
    (
        "positions: the start of an expression",
        "    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;

    call_type = FUNC_CALL_NORMAL;
",
        "    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;
    int start_line = s->token.line_num, start_col = s->token.col_num;
    int name_line = start_line, name_col = start_col;
    int call_line = start_line, call_col = start_col;

    call_type = FUNC_CALL_NORMAL;
",
    ),
    (
        "positions: new",
        "            emit_source_loc(s);
            if (js_parse_postfix_expr(s, 0))
                return -1;
            accept_lparen = true;
            if (s->token.val != '(') {
                /* new operator on an object */
                emit_op(s, OP_dup);
",
        "            if (js_parse_postfix_expr(s, 0))
                return -1;
            accept_lparen = true;
            if (s->token.val != '(') {
                /* new operator on an object */
                emit_source_loc_at(s, start_line, start_col);
                emit_op(s, OP_dup);
",
    ),
    (
        "positions: the parenthesis of a call",
        "            /* function call */
        parse_func_call:
            if (next_token(s))
                return -1;

            if (call_type == FUNC_CALL_NORMAL) {
            parse_func_call2:
                emit_source_loc(s);
                switch(opcode = get_prev_opcode(fd)) {
",
        "            /* function call */
        parse_func_call:
            if (call_type == FUNC_CALL_NORMAL) {
                call_line = s->token.line_num;
                call_col = s->token.col_num;
            } else {
                call_line = start_line;
                call_col = start_col;
            }
            if (next_token(s))
                return -1;

            if (call_type == FUNC_CALL_NORMAL) {
            parse_func_call2:
                switch(get_prev_opcode(fd)) {
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
                }
                switch(opcode = get_prev_opcode(fd)) {
",
    ),
    (
        "positions: a tagged template",
        "            call_type = FUNC_CALL_TEMPLATE;
            goto parse_func_call2;
",
        "            call_type = FUNC_CALL_TEMPLATE;
            call_line = s->token.line_num;
            call_col = s->token.col_num;
            goto parse_func_call2;
",
    ),
    (
        "positions: a call with spread arguments",
        "                /* apply function call */
                switch(opcode) {
",
        "                /* apply function call */
                emit_source_loc_at(s, call_line, call_col);
                switch(opcode) {
",
    ),
    (
        "positions: a call",
        "            emit_func_call:
                switch(opcode) {
",
        "            emit_func_call:
                emit_source_loc_at(s, call_line, call_col);
                switch(opcode) {
",
    ),
    (
        "positions: a private name",
        "                emit_op(s, OP_scope_get_private_field);
                emit_atom(s, s->token.u.ident.atom);
                emit_u16(s, s->cur_func->scope_level);
            } else {
                if (!token_is_ident(s->token.val)) {
                    return js_parse_error(s, \"expecting field name\");
                }
",
        "                name_line = s->token.line_num;
                name_col = s->token.col_num;
                emit_source_loc(s);
                emit_op(s, OP_scope_get_private_field);
                emit_atom(s, s->token.u.ident.atom);
                emit_u16(s, s->cur_func->scope_level);
            } else {
                if (!token_is_ident(s->token.val)) {
                    return js_parse_error(s, \"expecting field name\");
                }
                name_line = s->token.line_num;
                name_col = s->token.col_num;
",
    ),
    (
        "positions: the name of a property",
        "                    emit_op(s, OP_get_field);
                    emit_atom(s, s->token.u.ident.atom);
                }
            }
            if (next_token(s))
                return -1;
        } else if (s->token.val == '[') {
            int prev_op;
",
        "                    emit_source_loc(s);
                    emit_op(s, OP_get_field);
                    emit_atom(s, s->token.u.ident.atom);
                }
            }
            if (next_token(s))
                return -1;
        } else if (s->token.val == '[') {
            int prev_op;
",
    ),
    (
        "positions: the bracket of an index",
        "        parse_array_access:
            prev_op = get_prev_opcode(fd);
",
        "        parse_array_access:
            call_line = s->token.line_num;
            call_col = s->token.col_num;
            prev_op = get_prev_opcode(fd);
",
    ),
    (
        "positions: an index",
        "                emit_op(s, OP_get_super_value);
            } else {
                emit_op(s, OP_get_array_el);
            }
        } else {
            break;
",
        "                emit_op(s, OP_get_super_value);
            } else {
                emit_source_loc_at(s, call_line, call_col);
                emit_op(s, OP_get_array_el);
            }
        } else {
            break;
",
    ),
    (
        "positions: the start of a token that is no name",
        "    s->token.col_num = s->col_num;
    s->token.ptr = p;
    s->token.line_start = s->line_start;
    c = *p;
    switch(c) {
    case 0:
        if (p >= s->buf_end) {
            s->token.val = TOK_EOF;
        } else {
            goto def_token;
        }
        break;
    case '`':
",
        "    s->token.col_num = s->col_num;
    s->token.ptr = p;
    s->token.line_start = s->line_start;
    s->mark = p;
    c = *p;
    switch(c) {
    case 0:
        if (p >= s->buf_end) {
            s->token.val = TOK_EOF;
        } else {
            goto def_token;
        }
        break;
    case '`':
",
    ),
    (
        "positions: an assignment",
        "        int label;
        if (next_token(s))
            return -1;
        if (get_lvalue(s, &opcode, &scope, &name, &label, NULL, (op != '='), op) < 0)
            return -1;
",
        "        int label, op_line = s->token.line_num, op_col = s->token.col_num;
        if (next_token(s))
            return -1;
        if (get_lvalue(s, &opcode, &scope, &name, &label, NULL, (op != '='), op) < 0)
            return -1;
",
    ),
    (
        "positions: an assignment to a property",
        "        put_lvalue(s, opcode, scope, name, label, PUT_LVALUE_KEEP_TOP, false);
    } else if (op >= TOK_LAND_ASSIGN",
        "        if (opcode == OP_get_field || opcode == OP_get_array_el)
            emit_source_loc_at(s, op_line, op_col);
        put_lvalue(s, opcode, scope, name, label, PUT_LVALUE_KEEP_TOP, false);
    } else if (op >= TOK_LAND_ASSIGN",
    ),
    (
        "positions: the expression of a loop",
        "    if (next_token(s))
        return -1;
    if (is_for_of) {
        if (js_parse_assign_expr(s))
            return -1;
    } else {
",
        "    if (next_token(s))
        return -1;
    int of_line = s->token.line_num, of_col = s->token.col_num;
    if (is_for_of) {
        if (js_parse_assign_expr(s))
            return -1;
    } else {
",
    ),
    (
        "positions: a loop",
        "        if (is_async)
            emit_op(s, OP_for_await_of_start);
        else
            emit_op(s, OP_for_of_start);
        /* on stack: enum_rec */
",
        "        emit_source_loc_at(s, of_line, of_col);
        if (is_async)
            emit_op(s, OP_for_await_of_start);
        else
            emit_op(s, OP_for_of_start);
        /* on stack: enum_rec */
",
    ),
    (
        "positions: the columns of the first line",
        "    js_parse_init(ctx, s, input, input_len, filename, line);
    skip_shebang(",
        "    js_parse_init(ctx, s, input, input_len, filename, line);
    s->eol = s->buf_start - 1;
    skip_shebang(",
    ),
    // The name of a module for an `import()` in the text of `eval` or `Function`: that of the caller.
    (
        "import() in eval",
        "    basename = JS_GetScriptOrModuleName(ctx, 0);
    if (basename == JS_ATOM_NULL)
        basename_val = JS_NULL;
",
        "    basename = js_import_base(ctx);
    if (basename == JS_ATOM_NULL)
        basename_val = JS_NULL;
",
    ),
    (
        "import() in eval: the caller",
        "static JSValue js_dynamic_import(JSContext *ctx, JSValueConst specifier,
                                 JSValueConst options)
{
",
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

static JSValue js_dynamic_import(JSContext *ctx, JSValueConst specifier,
                                 JSValueConst options)
{
",
    ),
    // Requests that wait behind one of a completed generator are handled, too.
    (
        "async generators: requests behind next() and throw()",
        "            } else if (next->completion_type == GEN_MAGIC_RETURN) {
                s->state = JS_ASYNC_GENERATOR_STATE_AWAITING_RETURN;
                js_async_generator_completed_return(ctx, s, next->result);
            } else {
                js_async_generator_reject(ctx, s, next->result);
            }
            goto done;
",
        "            } else if (next->completion_type == GEN_MAGIC_RETURN) {
                s->state = JS_ASYNC_GENERATOR_STATE_AWAITING_RETURN;
                js_async_generator_completed_return(ctx, s, next->result);
                goto done;
            } else {
                js_async_generator_reject(ctx, s, next->result);
            }
            break;
",
    ),
    (
        "async generators: requests behind return()",
        "        if (is_reject) {
            js_async_generator_reject(ctx, s, arg);
        } else {
            js_async_generator_resolve(ctx, s, arg, true);
        }
",
        "        if (is_reject) {
            js_async_generator_reject(ctx, s, arg);
        } else {
            js_async_generator_resolve(ctx, s, arg, true);
        }
        js_async_generator_resume_next(ctx, s);
",
    ),
    // Arguments of apply() and spreads are on the heap, so only memory limits them.
    (
        "spreads of more than 65,535 arguments",
        "    if (len > JS_MAX_LOCAL_VARS) {
        // XXX: check for stack overflow?
        JS_ThrowRangeError(ctx, \"too many arguments in function call (only %d allowed)\",
                           JS_MAX_LOCAL_VARS);
        return NULL;
    }
",
        "    if (len > JS_MAX_APPLY_ARGUMENTS) {
        JS_ThrowRangeError(ctx, \"Maximum call stack size exceeded\");
        return NULL;
    }
",
    ),
    (
        "spreads: the limit",
        "#define JS_MAX_LOCAL_VARS 65535
",
        "#define JS_MAX_LOCAL_VARS 65535
#define JS_MAX_APPLY_ARGUMENTS 8000000
",
    ),
];

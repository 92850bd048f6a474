// node:test: a tree of tests. They run after the script, and are reported in the order in which they were created.
const { codes, refuse } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { validateAbortSignal, validateFunction, validateNumber, validateUint32 } = require('internal/validators');
const { AsyncLocalStorage } = require('async_hooks');
const native = binding('test');
const current = new AsyncLocalStorage();
const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
const failures = [];
const tests = new WeakMap();
const running = [];
let hasFailed = false;
let isFiltered = false;
let root;

function failure(cause, failureType = 'testCodeFailure') {
  const text = cause?.message ?? cause;
  return Object.assign(new Error(typeof text === 'string' ? text : inspect(text)), { code: 'ERR_TEST_FAILURE', failureType, cause });
}

const asFailure = (error, type) => (error?.code === 'ERR_TEST_FAILURE' && 'failureType' in error ? error : failure(error, type));

// The reporter is one of the binding. Its texts are written after the jobs that are queued.
let text = '';
function write() {
  if (text !== '') process.stdout.write(text);
  text = '';
}

let report = (kind, data) => {
  const name = require('internal/options').get('--test-reporter') ?? 'spec';
  if (name !== 'spec' && name !== 'tap') throw new codes.ERR_MAUVE_NOT_IMPLEMENTED(`the reporter ${name}`);
  const state = [];
  report = (...event) => {
    if (text === '') process.nextTick(write);
    text += native[name](...event, state);
  };
  report(kind, data);
};

// Calls a function of a test. One with a parameter more than there are arguments gets a callback.
function invoke(fn, self, args) {
  if (fn.length <= args.length) return Reflect.apply(fn, self, args);
  const { promise, resolve, reject } = Promise.withResolvers();
  let calls = 0;
  const result = Reflect.apply(fn, self, [...args, (error) => {
    if (calls++ > 0) reject(failure('callback invoked multiple times', 'multipleCallbackInvocations'));
    else if (error) reject(error);
    else process.nextTick(resolve);
  }]);
  if (typeof result?.then === 'function') reject(failure('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
  return promise;
}

// Rejects after the time limit, or when the signal aborts.
function limit({ timeout, signal }) {
  const { promise, reject } = Promise.withResolvers();
  const onAbort = () => reject(failure(Object.assign(signal.reason, { failureType: 'testAborted' }), 'testAborted'));
  promise.catch(() => {});
  const timer = timeout < Infinity ? setTimeout(() => reject(failure(`test timed out after ${timeout}ms`, 'testTimeoutFailure')), timeout) : undefined;
  timer?.unref();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return { promise, reject, end() { clearTimeout(timer); signal?.removeEventListener('abort', onAbort); } };
}

class Test {
  children = [];
  hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  waiting = [];
  active = 0;
  reported = 0;
  shown = 0;
  number = 0;
  diagnostics = [];
  settled = Promise.withResolvers();
  abort = new AbortController();

  constructor(parent, kind, name, options, fn, at) {
    const { concurrency, timeout, signal, skip, todo, only, plan } = options;
    if (timeout !== undefined && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, 2 ** 31 - 1);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (typeof concurrency === 'number') validateUint32(concurrency, 'options.concurrency', true);
    else if (concurrency != null && typeof concurrency !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
    const most = typeof concurrency === 'boolean' ? (concurrency ? Infinity : 1) : concurrency;
    Object.assign(this, { parent, kind, name, fn, at, signal, only: Boolean(only), skip: skip === '' ? true : skip, todo: todo ?? Boolean(parent?.todo) });
    Object.assign(this, { concurrency: most ?? parent?.concurrency ?? 1, timeout: timeout ?? parent?.timeout ?? Infinity, isSuite: kind === 'suite' });
    if (this.skip === undefined || this.skip === false) this.skip = parent?.skip;
    if (plan !== undefined) this.plan = { count: plan, actual: 0 };
    this.nesting = parent ? parent.nesting + 1 : -1;
    this.context = this.isSuite ? new SuiteContext(this) : new TestContext(this);
    if (this.isSuite && !this.skip) this.body = current.run(this, async () => Reflect.apply(fn, this.context, [this.context]));
    this.body?.catch(() => {});
  }

  get fullName() { return this.parent?.parent ? `${this.parent.fullName} > ${this.name}` : this.name; }
  get hasOnly() { return this.children.some((child) => child.only || child.hasOnly); }

  get isWanted() {
    if (this.only || this.parent.kind === 'test') return this.only || !this.parent.runsOnly;
    return !isFiltered || (this.isSuite && this.hasOnly) || this.parent.takesAll;
  }

  get takesAll() { return Boolean(this.parent) && (this.only || this.parent.takesAll) && !this.hasOnly; }

  add(child) {
    this.children.push(child);
    if (this.isOpen) this.next(child);
    else this.waiting.push(child);
    return child.settled.promise;
  }

  // Starts a child, or as many as may run at once.
  next(child) {
    if (child) this.waiting.push(child);
    while (!this.error && this.active < this.concurrency && this.waiting.length > 0) {
      this.active++;
      this.waiting.shift().run();
    }
  }

  async runHooks(name, context) {
    for (const { fn, options } of this.hooks[name]) {
      const stop = limit({ timeout: Infinity, ...options });
      const called = Promise.race([(async () => invoke(fn, context, [context]))(), stop.promise]);
      await called.catch((error) => { throw asFailure(error, 'hookFailed'); }).finally(stop.end);
    }
  }

  // The hooks around each test are those of all tests above it.
  async runEach(name) {
    const above = [];
    for (let at = this.isSuite ? undefined : this.parent; at; at = at.parent) above.push(at);
    if (name === 'beforeEach') above.reverse();
    for (const one of above) await one.runHooks(name, this.context);
  }

  async work() {
    await this.runEach('beforeEach');
    if (this.isSuite) {
      await this.body;
      await this.runHooks('before', this.context);
      this.isOpen = true;
      this.next();
    } else {
      await current.run(this, () => invoke(this.fn, this.context, [this.context]));
    }
    for (let i = 0; i < this.children.length; i++) await this.children[i].settled.promise;
    await this.checkPlan();
  }

  async checkPlan() {
    if (!this.plan || this.plan.actual === this.plan.count) return;
    const { count, wait } = this.plan;
    const latest = Date.now() + (wait === true ? Infinity : wait || 0);
    while (this.plan.actual < count && Date.now() < latest && !this.isFinished) await new Promise((resolve) => { setTimeout(resolve, 1); });
    const { actual } = this.plan;
    if (actual < count && wait) throw failure(`plan timed out after ${wait}ms with ${actual} assertions when expecting ${count}`, 'testTimeoutFailure');
    if (actual !== count) throw failure(`plan expected ${count} assertions but received ${actual}`);
  }

  async run() {
    if (!this.isWanted) this.isHidden = true;
    if (this.isHidden || this.isFinished || this.skip) return this.finish();
    await this.parent.early?.catch((error) => this.fail(asFailure(error)));
    this.start = process.hrtime.bigint();
    running.push(this);
    const stop = this.stop = limit(this);
    this.isOpen = !this.isSuite;
    const onError = (error) => this.fail(asFailure(error));
    if (!this.error) {
      await Promise.race([this.work(), stop.promise]).catch(onError);
      await this.runEach('afterEach').then(() => this.runHooks('after', this.context)).catch(onError);
    }
    stop.end();
    running.splice(running.indexOf(this), 1);
    return this.finish();
  }

  fail(error) {
    if (this.isFinished || this.error || this.skip) return;
    this.error = error;
    this.isCancelled = ['testTimeoutFailure', 'testAborted', 'cancelledByParent'].includes(error.failureType);
  }

  finish() {
    if (this.isFinished) return;
    for (const child of this.children) if (!child.isFinished) child.cancel();
    const failed = this.children.filter((child) => child.error && !child.todo && !child.isHidden).length;
    if (failed > 0) this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed'));
    if (this.start) this.duration = Number(process.hrtime.bigint() - this.start) / 1e6;
    this.isFinished = true;
    this.abort.abort();
    this.mock?.reset();
    this.parent.active--;
    this.parent.next();
    root.advance();
    this.settled.resolve();
  }

  cancel(message = 'test did not finish before its parent and was cancelled') {
    this.fail(failure(message, 'cancelledByParent'));
    this.finish();
  }

  // Reports what has ended, if everything before it is reported.
  advance() {
    for (; this.reported < this.children.length; this.reported++) {
      const child = this.children[this.reported];
      if (child.isHidden) continue;
      child.advance();
      if (!child.isFinished) return;
      child.number = ++this.shown;
      child.reportResult();
    }
  }

  reportStart() {
    if (this.isStarted || !this.parent) return;
    this.isStarted = true;
    this.parent.reportStart();
    report('start', this);
  }

  reportResult() {
    const { nesting, error, isCancelled, skip, todo } = this;
    this.reportStart();
    if (this.shown > 0) report('plan', { nesting: nesting + 1, count: this.shown });
    if (skip || !error) this.duration ??= 0;
    if (error) this.text = inspect(error.cause, { breakLength: Infinity });
    report('result', this);
    for (const message of this.diagnostics) report('diagnostic', { nesting, message });
    if (error && error.failureType !== 'subtestsFailed') failures.push(this);
    if (error && !todo) hasFailed = true;
    if (!this.isSuite) counts.tests++;
    counts[this.isSuite ? 'suites' : skip ? 'skipped' : todo ? 'todo' : isCancelled ? 'cancelled' : error ? 'fail' : 'pass']++;
  }
}

// What tests and suites get as their argument.
const testOf = (context) => tests.get(context);

class SuiteContext {
  constructor(test) { tests.set(this, test); }
  get signal() { return testOf(this).abort.signal; }
  get name() { return testOf(this).name; }
  get filePath() { return native.location(testOf(this).at.stack)[0]; }
  get fullName() { return testOf(this).fullName; }
  get passed() { return testOf(this).isFinished === true && !testOf(this).error; }
  get error() { return testOf(this).error ?? null; }
  get attempt() { return 0; }
  diagnostic(message) { testOf(this).diagnostics.push(message); }
}

const ASSERTIONS = ['deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject', 'doesNotThrow', 'equal', 'fail', 'ifError', 'match', 'notDeepEqual',
  'notDeepStrictEqual', 'notEqual', 'notStrictEqual', 'partialDeepStrictEqual', 'rejects', 'strictEqual', 'throws', 'ok'];

class TestContext extends SuiteContext {
  get assert() {
    const test = testOf(this);
    const counted = (name) => (...args) => {
      if (test.plan) test.plan.actual++;
      return require('assert')[name](...args);
    };
    return test.assert ??= Object.fromEntries(ASSERTIONS.map((name) => [name, counted(name)]));
  }

  get mock() { return testOf(this).mock ??= new (require('internal/test_mock').MockTracker)(); }

  plan(count, { wait } = {}) {
    if (testOf(this).plan) throw failure('cannot set plan more than once');
    validateUint32(count, 'count');
    testOf(this).plan = { count, actual: 0, wait };
  }

  runOnly(value) { testOf(this).runsOnly = Boolean(value); }
  skip(message) { testOf(this).skip = message || true; }
  todo(message) { testOf(this).todo = message || true; }

  test(...args) {
    const test = testOf(this);
    if (test.plan) test.plan.actual++;
    return create(test, 'test', args);
  }
}
refuse(TestContext.prototype, 't', ['waitFor']);

function addHook(test, name, fn = () => {}, options = {}) {
  validateFunction(fn, 'fn');
  // A test that runs does not wait for its first subtest.
  if (name === 'before' && test.isOpen) test.early = Promise.all([test.early, invoke(fn, test.context, [test.context])]);
  else test.hooks[name].push({ fn, options });
  test.early?.catch(() => {});
}
for (const name of ['before', 'after', 'beforeEach', 'afterEach']) {
  TestContext.prototype[name] = function (fn, options) { addHook(testOf(this), name, fn, options); };
  exports[name] = (fn, options) => addHook(current.getStore() ?? start(), name, fn, options);
}

function create(parent, kind, [name, options, fn], extra) {
  if (typeof name === 'function') fn = name;
  else if (name !== null && typeof name === 'object') [options, fn] = [name, options];
  else if (typeof options === 'function') fn = options;
  if (options === null || typeof options !== 'object') options = {};
  const called = typeof fn === 'function' ? fn : () => {};
  const title = options.name || (typeof name === 'string' && name) || fn?.name || '<anonymous>';
  const test = new Test(parent, kind, title, { ...options, ...extra }, called, new Error('at'));
  if (test.only && !root.isOpen) isFiltered = true;
  if (!parent.isFinished) return parent.add(test);
  // It is reported with those of the script.
  test.fail(failure('test could not be started because its parent finished', 'parentAlreadyFinished'));
  Object.assign(test, { parent: root, nesting: 0, duration: 0, isFinished: true });
  root.children.push(test);
  root.advance();
  test.settled.resolve();
  return test.settled.promise;
}

// The error belongs to the test that runs, if there is one.
function onUncaught(error, origin) {
  const test = current.getStore() ?? running.at(-1);
  const type = origin === 'unhandledRejection' ? origin : 'uncaughtException';
  if (test && !test.isFinished) {
    test.fail(failure(error, type));
    test.stop.reject(test.error);
    return;
  }
  hasFailed = true;
  root.diagnostics.push(`Error: A resource generated asynchronous activity after the test ended. This activity created the error "${error}" which triggered an ${type} event, caught by the test runner.`);
}

// When nothing else is to be done: what has not ended never will.
async function end() {
  if (root.isEnding) return;
  root.isEnding = true;
  for (const test of [...running]) test.stop.reject(failure('Promise resolution is still pending but the event loop has already resolved', 'cancelledByParent'));
  await Promise.all(root.children.map((child) => child.settled.promise));
  try {
    await root.runHooks('after', root.context);
  } catch {
    hasFailed = true;
  }
  const duration = Number(process.hrtime.bigint() - root.start) / 1e6;
  report('plan', { nesting: 0, count: root.shown });
  for (const message of root.diagnostics) report('diagnostic', { nesting: 0, message });
  for (const [name, count] of Object.entries({ ...counts, duration_ms: duration })) report('diagnostic', { nesting: 0, message: `${name} ${count}` });
  if (failures.length > 0) report('failures', { list: failures });
  write();
  if (hasFailed) process.exitCode = 1;
}

// The root of the tests, which begins to run them when the script has run.
function start() {
  if (root) return root;
  root = new Test(undefined, 'root', '<root>', {}, undefined, new Error('at'));
  root.start = process.hrtime.bigint();
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', (error) => onUncaught(error, 'unhandledRejection'));
  process.on('beforeExit', end);
  process.nextTick(() => Promise.resolve().then(async () => {
    await root.runHooks('before', root.context).catch(() => { hasFailed = true; });
    root.isOpen = true;
    root.next();
  }));
  return root;
}

function define(kind) {
  const variant = (extra) => (...args) => create(current.getStore() ?? start(), kind, args, extra);
  const called = variant();
  for (const name of ['skip', 'todo', 'only']) Object.defineProperty(called, name, { value: variant({ [name]: true }), enumerable: true, configurable: true });
  return called;
}

exports.test = define('test');
exports.suite = define('suite');

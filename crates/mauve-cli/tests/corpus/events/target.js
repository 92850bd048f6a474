// EventTarget, Event, CustomEvent, AbortController, AbortSignal, DOMException.
const log = (...args) => console.log(...args);
const attempt = (action) => {
  try {
    log('=>', action());
  } catch (error) {
    log('threw', error.name, error.code, error.message);
  }
};
const target = new EventTarget();
const seen = [];
target.addEventListener('x', (event) => { seen.push(1); event.preventDefault(); log(event.type, event.target === target, event.currentTarget === target, event.eventPhase, event.composedPath().length, event.isTrusted); });
target.addEventListener('x', { handleEvent(event) { seen.push(2); log(this !== target, event.cancelable); } });
target.addEventListener('x', () => seen.push(3), { once: true });
const twice = () => seen.push(4);
target.addEventListener('x', twice);
target.addEventListener('x', twice);
target.addEventListener('x', twice, true);
log(target.dispatchEvent(new Event('x', { cancelable: true })), seen.join());
log(target.dispatchEvent(new Event('x')), seen.join());
target.removeEventListener('x', twice);
target.addEventListener('x', (event) => event.stopImmediatePropagation());
target.addEventListener('x', () => seen.push('never'));
target.dispatchEvent(new Event('x'));
log(seen.join());
const custom = new CustomEvent('c', { detail: { a: 1 } });
log(custom.detail, custom.type, custom.bubbles, custom instanceof Event, String(custom), String(target));
log(target, [target], { target });
attempt(() => new Event());
attempt(() => target.addEventListener('x'));
attempt(() => target.addEventListener('x', 5));
attempt(() => target.dispatchEvent({}));
attempt(() => { const e = new Event('r'); target.addEventListener('r', () => target.dispatchEvent(e), { once: true }); return 1; });
attempt(() => new AbortSignal());
attempt(() => AbortSignal.timeout(-1));
attempt(() => AbortSignal.any([1]));
const controller = new AbortController();
log(controller, controller.signal.aborted, controller.signal.reason, String(controller.signal));
controller.signal.onabort = (event) => log('onabort', event.type, event.isTrusted);
controller.signal.addEventListener('abort', () => log('listener', controller.signal.aborted));
const any = AbortSignal.any([controller.signal, AbortSignal.timeout(100000)]);
const nested = AbortSignal.any([any]);
any.addEventListener('abort', () => log('any', any.reason === controller.signal.reason, nested.aborted));
target.addEventListener('s', () => log('not removed'), { signal: controller.signal });
controller.abort();
controller.abort('again');
target.dispatchEvent(new Event('s'));
log(controller.signal, controller.signal.reason.name, controller.signal.reason.message, controller.signal.reason.code);
attempt(() => controller.signal.throwIfAborted());
log(AbortSignal.abort('why').reason, AbortSignal.any([AbortSignal.abort(1)]).reason);
const exception = new DOMException('message', 'AbortError');
log(exception.name, exception.code, exception.message, exception instanceof Error, String(exception), Object.prototype.toString.call(exception), exception.stack.split('\n')[0]);
log(new DOMException('m').name, new DOMException('m', 'Custom').code, DOMException.ABORT_ERR, exception.TIMEOUT_ERR, Object.keys(exception));
log(new DOMException('x', { name: 'DataCloneError', cause: 5 }).cause);
AbortSignal.timeout(2).addEventListener('abort', function () { log(this.reason.name, this.reason.message, this.reason.code); });
setTimeout(() => {}, 20);

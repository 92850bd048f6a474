// What the listeners of an EventTarget see of the event that is dispatched.
'use strict';
const target = new EventTarget();
const show = (name) => (event) => {
  console.log(name, event.eventPhase, event.currentTarget === target, event.target === target, event.composedPath().length);
};

target.addEventListener('a', show('first'));
target.addEventListener('a', show('once'), { once: true });
target.addEventListener('a', show('last'));
target.dispatchEvent(new Event('a'));
target.dispatchEvent(new Event('a'));

for (const method of ['stopPropagation', 'stopImmediatePropagation']) {
  target.addEventListener(method, (event) => {
    event[method]();
    show(method)(event);
  });
  target.addEventListener(method, show(`after ${method}`));
  const event = new Event(method);
  target.dispatchEvent(event);
  show('afterwards')(event);
}

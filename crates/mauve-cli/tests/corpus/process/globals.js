const names = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'structuredClone', 'atob', 'btoa', 'Buffer', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal', 'Event', 'EventTarget', 'performance', 'console', 'process', 'global', 'globalThis', 'DOMException'];
for (const n of names) console.log(n, typeof globalThis[n], Object.getOwnPropertyDescriptor(globalThis, n)?.configurable);
console.log(global === globalThis, typeof window, typeof document);

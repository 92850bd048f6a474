#!/usr/bin/env node
console.log(typeof exports, typeof require, typeof module, typeof __filename, typeof __dirname, arguments.length);
console.log(new Error('x').stack.split('\n')[1].replace(/.*\//, '').split(':').slice(0, 2).join(':'));
(function () { console.log(this === globalThis); })();
undeclared = 5; console.log(globalThis.undeclared);

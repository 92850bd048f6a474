process.on('exit', (c) => console.log('exit', c));
try { new Function('let a = ;'); } catch (e) { console.log(e instanceof SyntaxError, e.name); }
try { require('./fixtures/broken.js'); } catch (e) { console.log(e.name); }
require('./fixtures/broken.js');

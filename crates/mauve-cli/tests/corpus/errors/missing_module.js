process.on('exit', (c) => console.log('exit', c));
try { require('./nowhere'); } catch (e) { console.log(e.code, e.message.split('\n')[0], e.requireStack.length); }
try { require('no-such-package'); } catch (e) { console.log(e.code, e.message.split('\n')[0]); }
require('./nowhere.js');

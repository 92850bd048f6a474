// import() in a script of the module 'vm' is rejected: it has no callback.
const vm = require('vm');
vm.runInThisContext("import('fs')").then(() => console.log('no'), (e) => console.log(e.name, e.code, e.message));
new vm.Script("import('node:path')").runInThisContext().catch((e) => console.log(e.code));
import('fs').then((m) => console.log(typeof m.readFile));

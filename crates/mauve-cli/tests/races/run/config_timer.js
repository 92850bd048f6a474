// Timer against I/O: the configuration is expected to be there after 30 ms.
const fs = require('fs');
let config;
fs.readFile(__filename, function loaded() { config = { ok: true }; });
setTimeout(function start() { process.exitCode = config.ok ? 0 : 3; }, 30);

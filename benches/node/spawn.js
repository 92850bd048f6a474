// Spawns empty child processes, one after another.
'use strict';
const { spawn } = require('child_process');
const { once } = require('events');
const { measure } = require('./lib');

async function children(count) {
  for (let i = 0; i < count; i++) {
    const [code] = await once(spawn('true', { stdio: 'ignore' }), 'exit');
    if (code !== 0) throw new Error(`true ended with ${code}`);
  }
}

(async () => {
  await children(5);
  await measure('node: child_process.spawn', 100, () => children(100));
})();

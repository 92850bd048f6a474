// a terminal: raw mode, size, key presses, colours, through script(1)
'use strict';
const cp = require('child_process');
const { once } = require('events');
const { assert, main, assertLibrary } = require('./lib/check');

async function outside() {
  const inner = `stty rows 33 cols 111; '${process.execPath}' '${__filename}' inside`;
  const script = cp.spawn('script', ['-qec', inner, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  script.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
    // Sends the keys one by one, after each prompt.
    if (part.includes('press x')) script.stdin.write('x');
    if (part.includes('type a line')) script.stdin.write('mauve\r');
  });
  assert.deepStrictEqual(await once(script, 'close'), [0, null], text);
  assert(text.includes('got "x"'), text);
  assert(text.includes('line "mauve"'), text);
}

async function inside() {
  assertLibrary();
  const { stdin, stdout } = process;
  assert(stdin.isTTY && stdout.isTTY);
  assert.deepStrictEqual(stdout.getWindowSize(), [111, 33]);
  stdin.setRawMode(true);
  assert(cp.execSync('stty -a', { stdio: ['inherit', 'pipe', 'inherit'] }).includes('-icanon'));
  console.log('press x');
  console.log('got', JSON.stringify((await once(stdin, 'data'))[0].toString()));
  stdin.setRawMode(false);
  assert(cp.execSync('stty -a', { stdio: ['inherit', 'pipe', 'inherit'] }).includes(' icanon'));
  const lines = require('readline').createInterface({ input: stdin, output: stdout });
  console.log('type a line');
  console.log('line', JSON.stringify((await once(lines, 'line'))[0]));
  const resized = once(stdout, 'resize');
  cp.execSync('stty rows 20 cols 70', { stdio: 'inherit' });
  await resized;
  assert.deepStrictEqual(stdout.getWindowSize(), [70, 20]);
  lines.close();
}

if (process.argv[2] !== 'inside') main(outside);
else inside().catch((error) => { console.error(error); process.exit(1); });

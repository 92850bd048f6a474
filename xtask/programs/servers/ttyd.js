// ttyd: terminals over WebSockets, several at once, with keys typed and sizes set
'use strict';
const { assert, main } = require('../node/lib/check');
const { freePort, Server, Client } = require('./lib/server');

// Types into a shell and awaits its answer.
async function session(port, id) {
  const client = new Client(`ws://127.0.0.1:${port}/ws`, ['tty']);
  await client.open;
  client.socket.send(JSON.stringify({ AuthToken: '', columns: 91, rows: 17 }));
  // The first character is the kind of a message: 0 is output of the terminal, or input to it.
  client.socket.send(Buffer.from(`0stty size; echo "session $((${id} + 1000))"; seq 2000; echo the''end\r`));
  let text = '';
  while (!text.includes('theend')) {
    const message = await client.message();
    if (message[0] === '0') text += message.slice(1);
  }
  assert(text.includes('17 91'), text);
  assert(text.includes(`session ${id + 1000}`), text);
  assert(text.includes('\r\n1999\r\n2000\r\n'), text);
  client.socket.send(Buffer.from('0exit\r'));
  await client.closed;
}

main(async () => {
  const port = await freePort();
  const server = new Server('ttyd', ['-W', '-p', String(port), '-i', '127.0.0.1', 'sh']);
  await server.listening(port);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  assert.match(await page.text(), /<html/i);
  await Promise.all([0, 1, 2, 3].map((id) => session(port, id)));
  await session(port, 4);
  await server.stop('SIGTERM');
});

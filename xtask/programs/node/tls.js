// TLS and HTTP/2: a self-signed certificate, 500 streams over one session, 8 MiB over https
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const http2 = require('http2');
const https = require('https');
const path = require('path');
const { once } = require('events');
const { assert, main } = require('./lib/check');

async function text(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

main(async () => {
  // openssl of the unpacked packages, without its configuration file, which may not exist.
  fs.writeFileSync('settings', '[req]\ndistinguished_name = name\n[name]\n');
  const openssl = path.join(path.dirname(process.execPath), 'openssl');
  execFileSync(openssl, ['req', '-config', 'settings', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1',
    '-nodes', '-keyout', 'key', '-out', 'certificate', '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'pipe' });
  const [key, cert] = [fs.readFileSync('key'), fs.readFileSync('certificate')];

  const server = http2.createSecureServer({ key, cert });
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200 });
    stream.end(`you asked for ${headers[':path']}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`https://localhost:${server.address().port}`, { ca: cert });
  for (let pass = 0; pass < 10; pass++) {
    await Promise.all(Array.from({ length: 50 }, async (_, i) => {
      const stream = session.request({ ':path': `/${pass}/${i}` });
      assert.strictEqual((await text(stream)).toString(), `you asked for /${pass}/${i}`);
    }));
  }
  session.close();
  await once(session, 'close');
  server.close();
  await once(server, 'close');

  const big = Buffer.alloc(8 << 20, 'mauve');
  const secure = https.createServer({ key, cert }, (_, res) => res.end(big)).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const url = `https://localhost:${secure.address().port}/`;
  const [res] = await once(https.get(url, { ca: cert, agent: false }), 'response');
  assert((await text(res)).equals(big));
  const [refused] = await once(https.get(url, { agent: false }), 'error');
  assert.strictEqual(refused.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
  secure.close();
  await once(secure, 'close');
});

// fetch over HTTP, and its classes.
import http from 'node:http';
import zlib from 'node:zlib';
const log = (...args) => console.log(...args);
const fails = async (label, work) => {
  try { log(label, await work()); } catch (error) { log(label, error.name, error.cause?.code ?? ''); }
};
const headers = new Headers({ 'X-One': '1', accept: 'text/html' });
headers.append('x-one', ' 2 ');
headers.append('Set-Cookie', 'a=1');
headers.append('set-cookie', 'b=2');
log([...headers], headers.get('X-ONE'), headers.has('none'), headers.getSetCookie());
headers.delete('accept');
headers.set('x-one', 'new');
log([...headers], Object.keys(Headers.prototype).includes('append'));
for (const wrong of [() => headers.set('bad name', ''), () => headers.set('x', 'a\nb'), () => new Headers([['a']]), () => new Headers(5)]) {
  try { wrong(); } catch (error) { log(error.name); }
}
const form = new FormData();
form.append('text', 'täxt\n2');
form.append('file', new Blob(['contents'], { type: 'text/plain' }), 'name".txt');
form.append('text', 'second');
log([...form.keys()], form.get('text'), form.getAll('text').length, form.get('file').name, form.get('file').size);
form.set('text', 'only');
log([...form.entries()].map(([key, value]) => [key, typeof value]));
const encoded = new Response(form);
log(encoded.headers.get('content-type').replace(/\d+/, 'N'), (await encoded.clone().text()).replace(/\d{11,}/g, 'N'));
const parsed = await encoded.formData();
log(parsed.get('text'), await parsed.get('file').text(), parsed.get('file').type);
log([...await new Response(new URLSearchParams({ a: '1 2', b: 'x' })).formData()]);

const response = new Response('{"a":[1]}', { status: 201, statusText: 'Made', headers: { 'x-a': 'b' } });
log(response.status, response.ok, response.statusText, response.type, response.headers.get('content-type'), response.bodyUsed);
const copy = response.clone();
log(await response.json(), response.bodyUsed, await copy.text());
await fails('used', () => response.text());
log(await Response.json({ x: 1 }).text(), Response.redirect('http://a.test/b').headers.get('location'), Response.error().type);
log(new Uint8Array(await new Response(new Uint8Array([1, 2])).arrayBuffer()), (await new Response(new Blob(['blob'])).blob()).size, await new Response().text());
for (const wrong of [() => new Response('', { status: 99 }), () => new Response('x', { status: 204 }), () => new Request('/x'), () => new Request('http://a', { body: 'x' })]) {
  try { wrong(); } catch (error) { log(error.name); }
}
const request = new Request('http://a.test/p?q=1', { method: 'post', body: 'text', headers: { a: 'b' } });
log(request.method, request.url, request.headers.get('content-type'), await request.clone().text(), await new Request(request, { method: 'PUT' }).text());

const server = http.createServer(async (incoming, outgoing) => {
  let body = '';
  for await (const chunk of incoming) body += chunk;
  if (incoming.url === '/redirect') outgoing.writeHead(302, { location: '/echo?redirected' }).end();
  else if (incoming.url === '/loop') outgoing.writeHead(307, { location: '/loop' }).end();
  else if (incoming.url === '/gzip') outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync('compressed'));
  else if (incoming.url === '/none') outgoing.writeHead(204).end();
  else if (incoming.url !== '/hang') outgoing.writeHead(200, { 'x-method': incoming.method, 'set-cookie': ['a=1', 'b=2'] }).end(`${incoming.method} ${incoming.url} ${incoming.headers['content-type']} ${body}`);
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const base = `http://127.0.0.1:${server.address().port}`;
const got = await fetch(`${base}/echo`);
log(got.status, got.headers.get('x-method'), got.headers.getSetCookie(), await got.text(), got.redirected);
log(await (await fetch(`${base}/echo`, { method: 'POST', body: JSON.stringify({ a: 1 }), headers: { 'content-type': 'application/json' } })).text());
const redirected = await fetch(`${base}/redirect`, { method: 'POST', body: 'lost' });
log(redirected.redirected, redirected.url.replace(base, ''), await redirected.text());
log((await fetch(`${base}/redirect`, { redirect: 'manual' })).status);
log(await (await fetch(`${base}/gzip`)).text(), (await fetch(`${base}/none`)).body);
await fails('loop', () => fetch(`${base}/loop`));
await fails('refused redirect', () => fetch(`${base}/redirect`, { redirect: 'error' }));
await fails('timeout', () => fetch(`${base}/hang`, { signal: AbortSignal.timeout(20) }));
await fails('aborted', () => fetch(`${base}/hang`, { signal: AbortSignal.abort() }));
server.close();
server.closeAllConnections();
const closed = http.createServer();
await new Promise((resolve) => { closed.listen(0, '127.0.0.1', resolve); });
const { port } = closed.address();
await new Promise((resolve) => { closed.close(resolve); });
await fails('refused', () => fetch(`http://127.0.0.1:${port}/`));

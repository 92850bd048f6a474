// url.parse, url.format, url.resolve, querystring, punycode.
const url = require('url');
const qs = require('querystring');
const inputs = ['http://user:pass@host.com:80/p/a?q=1&q=2#h', '/a?b=c', '//host/path', 'HTTP://EX.com', 'mailto:a@b.c', 'javascript:alert(1)', 'file:///etc/x', 'a/b/c', '?q', '#h', '', ' http://x/ ', 'http://a b/c', 'http://x.y/p;a=b?c d"e', 'http://[::1]:80/x', 'http://a.com\\b', 'http://münchen.de/', 'x:1/2', 'http://a@b@c/', 'http:host', 'http:/host', 'coap:u@h:9/p', 'http://h?q', 'http://h#f', 'a:b', '/x\ty', 'http://h/`{|}^', 'xmpp:user@host', 'http://-a.com/', 'http://a_b.com', '//user:pw@h/x'];
for (const input of inputs) {
  console.log(JSON.stringify(input), url.parse(input));
  console.log(url.parse(input, true).query, url.parse(input, false, true).host, url.format(url.parse(input)), url.format(input));
}
const bases = ['http://a/b/c/d;p?q', '/one/two/three', 'http://example.com/', 'mailto:a@b', 'file:///x/y', 'one/two', 'http://u:p@h:1/x', 'javascript:x'];
const links = ['g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', '', '.', './', '..', '../', '../g', '../../g', '../../../g', '/../g', 'http://other/x', 'https:g', 'http:g', '/a/./b/../c', 'mailto:x@y', 'a/b/../../c', 'file:z', '//u@h2/p'];
for (const base of bases) for (const link of links) console.log(base, link, url.resolve(base, link));
for (const object of [{ protocol: 'http', host: 'a.b', pathname: 'x', search: 'q', hash: 'f' }, { hostname: '::1', port: 8, protocol: 'http:', slashes: true }, { query: { a: [1, 2], b: 'x y' }, pathname: '/p?#' }, { auth: 'u:p@', host: 'h', protocol: 'ftp' }, {}, { protocol: 'file', pathname: '/x' }, { pathname: 'rel', slashes: true }]) console.log(object, url.format(object));
for (const action of [() => url.parse(5), () => url.parse('http://[::1'), () => url.format(5), () => url.format(null), () => url.parse('http://%41/')]) {
  try {
    console.log(action().href);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const text of ['a=1&b=2&a=3', 'a=%20+&b', '=x&y=', '&&', 'a=%zz&b=%E4%BD%A0&c=%ff', 'a==b', '', 'foo[]=1&foo[]=2', '__proto__=x', 'a:1;b:2']) console.log(text, qs.parse(text), qs.parse(text, ';', ':'));
console.log(qs.parse('a=1&b=2&c=3', null, null, { maxKeys: 2 }), qs.parse('a=1', '&', '=', { decodeURIComponent: (x) => x.toUpperCase() }), qs.parse(5));
for (const object of [{ a: 1, b: [2, 'x y'], c: true, d: null, e: undefined, f: NaN, g: {}, h: 10n, 'ü': '&=' }, {}, null, 'x', { a: [] }, { a: '' }]) console.log(qs.stringify(object), qs.stringify(object, ';', ':'));
console.log(qs.escape('a b&ü'), qs.unescape('%61%zz'), qs.stringify({ a: 'x' }, null, null, { encodeURIComponent: () => 'E' }), Object.keys(qs));
process.removeAllListeners('warning');
const punycode = require('punycode');
console.log(punycode.encode('mañana'), punycode.decode('maana-pta'), punycode.toASCII('mañana.com'), punycode.toUnicode('xn--maana-pta.com'), punycode.encode('\u{1f600}☃'), punycode.decode('--dqo34k'), punycode.ucs2.decode('a\u{1f600}'), punycode.ucs2.encode([97, 0x1f600]), punycode.toASCII('džumbo@☃-⌘.com'));
try { punycode.decode('\x80-'); } catch (error) { console.log(error.name, error.message); }

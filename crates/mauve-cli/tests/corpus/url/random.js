// Random URLs and query strings, with a fixed seed.
const url = require('url');
const qs = require('querystring');
let seed = 4242;
const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const pick = (list) => list[random(list.length)];
const parts = (protocols) => pick(protocols) + pick(['', 'user@', 'usr:p@', 'a%40b:c@']) + pick(['host', 'a.b.c', 'EXAMPLE.com', '127.0.0.1', '[::1]', '', 'ex ample', 'x--9ca', 'é.fr', '%41']) + pick(['', ':80', ':443', ':8080', ':', ':x']) + pick(['', '/', '/a/b', '/../x/./y', '/a b', '/%7e', '/é', ';p', '/a//b', '/q%27']) + pick(['', '?', '?a=1', '?x=é&y', '?a b', "?'", '?a?b']) + pick(['', '#', '#f', '#a b', '#é', '#a#b']);
for (let i = 0; i < 1500; i++) {
  const a = parts(['http://', 'https:', 'ws://', 'HTTP:/', '//']);
  const b = parts(['http://', 'https:', 'ws://', 'foo://', '//', '', 'mailto:', 'HTTP:/']);
  const attempt = (action) => { try { return action(); } catch (error) { return `${error.name} ${error.code} ${error.message}`; } };
  console.log(i, JSON.stringify(a), attempt(() => new URL(a).href), JSON.stringify(b), attempt(() => new URL(b, a).href));
  if (!/xn--a|%41|é|:x|\[/.test(a + b)) {
    console.log(i, attempt(() => JSON.stringify(url.parse(a, random(2) === 1, random(2) === 1))), attempt(() => url.resolve(a, b)), attempt(() => url.format(url.parse(b))));
  }
  const query = Array.from({ length: random(6) }, () => pick(['a', '=', '&', '%', '%20', '+', 'é', '%C3%A9', '%ff', 'b=', '&&', '%zz'])).join('');
  console.log(i, JSON.stringify(query), qs.parse(query), attempt(() => qs.stringify(qs.parse(query))), String(new URLSearchParams(query)), [...new URLSearchParams(query)]);
}

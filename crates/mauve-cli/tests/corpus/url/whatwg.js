// URL and URLSearchParams: parsing, setters, lists, errors, inspection.
const url = require('url');
const inputs = ['http://example.com', 'HTTP://EXAMPLE.com:80/a/../b?x=1#y', 'https://user:pa ss@host:8443/p a?q=ü&b=%zz#frag ment', 'file:///etc/passwd', 'file://host/x', 'mailto:a@b.c', 'data:text/plain,hi there', 'javascript:alert(1)', 'ws://h/%7Efoo/../bar', 'http://[::1]:3000/', 'http://[2001:db8::0:1]/', 'http://192.168.0.1.', 'http://0x7f.1/', 'http://münchen.de/ä?ö#ü', 'http://xn--mnchen-3ya.de', 'ftp://a:b@c:21/d', 'http://a.b/?', 'http://a.b/#', '  http://trim.me  ', 'http:\\\\back\\slash', 'blob:https://x.y/z', 'http://a/b/c/d;p?q', 'nope', '', '//x', 'http://', 'http://a:99999/', 'http://a b/', 'http://%41/', 'custom:opaque path', 'custom://host/p/../q', 'http://user@/x', 'http://a/%2e%2e/b', 'about:blank', 'HTTP:foo', 'http://ex.com/\u{1f600}'];
const shown = (u) => ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'].map((key) => u[key]).join(' | ');
for (const input of inputs) {
  for (const base of [undefined, 'http://base.org:81/dir/file?q#h', 'file:///d/e', 'nope']) {
    try {
      console.log(JSON.stringify(input), base, shown(new URL(input, base)), URL.canParse(input, base));
    } catch (error) {
      console.log(JSON.stringify(input), base, error.name, error.code, error.message, error.input, error.base, URL.canParse(input, base));
    }
  }
}
for (const relative of ['g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', ';x', '', '.', './', '..', '../', '../g', '../..', '../../../g', '/./g', 'g.', '.g', './../g', 'http:g']) console.log(relative, new URL(relative, 'http://a/b/c/d;p?q').href);
const u = new URL('https://user:pw@host.com:8080/p/a?x=1&y=2#h');
console.log(u, [u], { u }, JSON.stringify({ u }), `${u}`, Object.keys(u));
for (const [key, value] of [['protocol', 'http'], ['protocol', 'foo'], ['protocol', 'ws:'], ['username', 'a b'], ['password', ''], ['host', 'new.org:99'], ['host', ''], ['hostname', 'h2'], ['hostname', 'bad host'], ['port', '443'], ['port', '70000'], ['port', ''], ['port', '12ab'], ['pathname', 'x y/ä'], ['pathname', ''], ['search', 'a=b c'], ['search', ''], ['search', '?'], ['hash', 'z z'], ['hash', ''], ['href', 'http://fresh/?q=1']]) {
  u[key] = value;
  console.log(key, JSON.stringify(value), u.href, u.searchParams.toString());
}
try { u.href = 'bad'; } catch (error) { console.log(error.code, error.message, error.input); }
u.searchParams.append('k', 'v w'); u.searchParams.append('k', 'é&='); u.searchParams.set('q', '2'); u.searchParams.delete('none');
console.log(u.href, u.search, u.searchParams);
u.search = '?r=1';
console.log(u.searchParams.get('r'), u.searchParams.size);
for (const init of ['a=1&a=2&b=%20+&c', '?x=%E4%BD%A0&y=%ff&z=%', '', '&&=&=x&x=', { a: 1, b: [1, 2], c: null }, [['a', 'b'], ['c', 'd']], new Map([['m', 1]]), new URLSearchParams('p=q'), undefined, null, 5, 'a=b~!*()\'', [['x', '\ud800']]]) {
  const params = new URLSearchParams(init);
  console.log(params, params.toString(), [...params], params.size, params.get('a'), params.getAll('a'), params.has('a'), params.has('a', '2'));
}
const params = new URLSearchParams('z=1&a=2&z=0&b=3');
params.sort();
console.log(params.toString(), params.keys(), params.values(), params.entries(), [...params.keys()], String(params), Object.prototype.toString.call(params));
params.forEach((value, name, all) => console.log(name, value, all === params));
params.delete('z', '0');
params.set('a', 'new');
console.log(params.toString(), params.entries().next(), new URLSearchParams('long='.repeat(1) + 'x'.repeat(100) + '&other=' + 'y'.repeat(20)));
for (const action of [() => new URL(), () => new URLSearchParams([[1]]), () => new URLSearchParams([5]), () => new URLSearchParams().get(), () => new URLSearchParams().append('a'), () => params.forEach(5), () => URL.canParse(), () => new URLSearchParams({ [Symbol.iterator]: 5 }), () => url.fileURLToPath('http://x'), () => url.fileURLToPath(5), () => url.fileURLToPath('file://host/x'), () => url.fileURLToPath('file:///a%2fb'), () => url.pathToFileURL(5), () => url.fileURLToPath('file:///a%20b/%C3%A9'), () => url.fileURLToPath(new URL('file:///x?y#z')), () => url.pathToFileURL('/a b/#?%é\\\n').href, () => url.pathToFileURL('/dir/').href, () => url.domainToASCII('español.com'), () => url.domainToUnicode('xn--espaol-zwa.com'), () => url.domainToASCII('xn--iñvalid.com'), () => url.urlToHttpOptions(new URL('https://a:b%20c@[::1]:8/p?q#h')), () => url.format(new URL('http://u:p@xn--espaol-zwa.com/p?q#h'), { auth: false, unicode: true, fragment: false, search: false })]) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

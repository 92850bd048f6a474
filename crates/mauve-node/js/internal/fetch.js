// fetch() for http, and its classes: Headers, FormData, Request and Response.
const { codes } = require('internal/errors');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const { Blob, File } = require('internal/blob');
const { validateHeaderName } = require('http');
const { ReadableStream } = require('stream/web');
const typeError = (message, cause = undefined) => Object.assign(new TypeError(message), cause && { cause });
const isPair = (value) => typeof value === 'object' && typeof value?.[Symbol.iterator] === 'function';

// The methods of a list of names and values.
function defineList(Class, members) {
  for (const [name, pick] of [['entries', (pair) => pair], ['keys', ([key]) => key], ['values', ([, value]) => value]]) {
    Class.prototype[name] = { *[name]() { for (const pair of this._pairs()) yield pick(pair); } }[name];
  }
  Class.prototype.forEach = { forEach(callback, self) { for (const [key, value] of this) Reflect.apply(callback, self, [value, key, this]); } }.forEach;
  Object.defineProperty(Class.prototype, Symbol.iterator, { value: Class.prototype.entries, writable: true, configurable: true });
  Object.defineProperty(Class.prototype, '_pairs', { enumerable: false });
  defineWebClass(Class, members);
}

class Headers {
  #map = new Map();
  #cookies = [];

  constructor(init = undefined) {
    if (init === undefined) return;
    if (typeof init !== 'object' || init === null) throw typeError("Headers constructor: init given is not one of the allowed types");
    for (const pair of isPair(init) ? init : Reflect.ownKeys(init).map((key) => [key, init[key]])) {
      const list = [...pair];
      if (list.length !== 2) throw typeError('Headers constructor: expected name/value pair to be length 2, found ' + list.length + '.');
      this.append(...list);
    }
  }

  #name(name, method) {
    try {
      validateHeaderName(`${name}`);
    } catch {
      throw typeError(`Headers.${method}: ${name} is an invalid header name.`);
    }
    return `${name}`.toLowerCase();
  }

  #value(value, method) {
    const text = `${value}`.replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, '');
    if (/[\0\r\n]|[^\0-\xff]/.test(text)) throw typeError(`Headers.${method}: ${value} is an invalid header value.`);
    return text;
  }

  append(name, value) {
    const [key, text] = [this.#name(name, 'append'), this.#value(value, 'append')];
    if (key === 'set-cookie') this.#cookies.push(text);
    this.#map.set(key, this.#map.has(key) ? `${this.#map.get(key)}${key === 'cookie' ? ';' : ','} ${text}` : text);
  }

  set(name, value) {
    const [key, text] = [this.#name(name, 'set'), this.#value(value, 'set')];
    if (key === 'set-cookie') this.#cookies = [text];
    this.#map.set(key, text);
  }

  delete(name) {
    const key = this.#name(name, 'delete');
    this.#value('', 'delete');
    if (key === 'set-cookie') this.#cookies = [];
    this.#map.delete(key);
  }

  get(name) { return this.#map.get(this.#name(name, 'get')) ?? null; }
  has(name) { return this.#map.has(this.#name(name, 'has')); }
  getSetCookie() { return [...this.#cookies]; }

  _pairs() {
    return [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, value]) => (key === 'set-cookie' ? this.#cookies.map((cookie) => [key, cookie]) : [[key, value]]));
  }

  [customInspectSymbol](...args) { return inspectAs(this, 'Headers', Object.fromEntries(this._pairs()), ...args); }
}
defineList(Headers, ['append', 'delete', 'get', 'has', 'set', 'getSetCookie']);

class FormData {
  #pairs = [];

  constructor(form = undefined) { if (form !== undefined) throw typeError("FormData constructor: Argument 1 could not be converted to: undefined."); }

  #entry(name, value, filename, method) {
    if (!(value instanceof Blob)) {
      if (filename !== undefined) throw typeError(`FormData.${method}: parameter 2 is not of type 'Blob'`);
      return [`${name}`.toWellFormed(), `${value}`.toWellFormed()];
    }
    const { type, lastModified } = value;
    const isKept = value instanceof File && filename === undefined;
    return [`${name}`, isKept ? value : new File([value], filename ?? value.name ?? 'blob', { type, lastModified })];
  }

  append(name, value, filename = undefined) { this.#pairs.push(this.#entry(name, value, filename, 'append')); }
  delete(name) { this.#pairs = this.#pairs.filter(([key]) => key !== `${name}`); }
  get(name) { return this.#pairs.find(([key]) => key === `${name}`)?.[1] ?? null; }
  getAll(name) { return this.#pairs.filter(([key]) => key === `${name}`).map(([, value]) => value); }
  has(name) { return this.#pairs.some(([key]) => key === `${name}`); }

  set(name, value, filename = undefined) {
    const entry = this.#entry(name, value, filename, 'set');
    const index = this.#pairs.findIndex(([key]) => key === entry[0]);
    if (index < 0) this.#pairs.push(entry);
    else this.#pairs = this.#pairs.filter(([key], i) => key !== entry[0] || i === index).with(index, entry);
  }

  _pairs() { return this.#pairs; }

  [customInspectSymbol](...args) {
    const shown = {};
    for (const [key, value] of this.#pairs) shown[key] = key in shown ? [shown[key], value].flat() : value;
    return inspectAs(this, 'FormData', shown, ...args);
  }
}
defineList(FormData, ['append', 'delete', 'get', 'getAll', 'has', 'set']);

// The bytes and the type of a body.
function encode(form) {
  const boundary = `----formdata-undici-0${`${Math.floor(Math.random() * 1e11)}`.padStart(11, '0')}`;
  const quote = (text) => text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
  const parts = [];
  for (const [key, value] of form) {
    const isFile = typeof value !== 'string';
    const file = isFile ? `; filename="${quote(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}` : '';
    const name = quote(key.replace(/\r?\n|\r/g, '\r\n'));
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`, isFile ? value : value.replace(/\r?\n|\r/g, '\r\n'), '\r\n');
  }
  return { blob: new Blob([...parts, `--${boundary}--\r\n`]), type: `multipart/form-data; boundary=${boundary}` };
}

function bodyOf(value) {
  if (value instanceof ReadableStream) {
    if (value.locked) throw typeError('Response body object should not be disturbed or locked');
    return { stream: value };
  }
  if (value instanceof Blob) return { blob: value, type: value.type || undefined };
  if (value instanceof FormData) return encode(value);
  if (value instanceof URLSearchParams) return { blob: new Blob([`${value}`]), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return { blob: new Blob([value]) };
  if (typeof value === 'object' && value[Symbol.asyncIterator]) return { stream: ReadableStream.from(value) };
  return { blob: new Blob([`${value}`]), type: 'text/plain;charset=UTF-8' };
}

function decode(bytes, type) {
  const form = new FormData();
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    for (const [key, value] of new URLSearchParams(bytes.toString())) form.append(key, value);
    return form;
  }
  const [, quoted, plain] = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;]+))/i.exec(type) ?? [];
  if ((quoted ?? plain) === undefined) throw typeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
  for (const part of `\r\n${bytes.toString('latin1')}`.split(`\r\n--${quoted ?? plain}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = Buffer.from(part.slice(0, end), 'latin1').toString();
    const unquote = (text) => text?.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
    const [name, filename] = [/\bname="([^"]*)"/, /\bfilename="([^"]*)"/].map((pattern) => unquote(pattern.exec(head)?.[1]));
    if (end < 0 || name === undefined) throw typeError('Failed to parse body as FormData.');
    const content = Buffer.from(part.slice(end + 4), 'latin1');
    if (filename === undefined) form.append(name, content.toString());
    else form.append(name, new File([content], filename, { type: /^content-type: *(.*)$/im.exec(head)?.[1].trim() ?? 'text/plain' }));
  }
  return form;
}

class Body {
  #stream;
  #blob;
  #used = false;

  _setBody(value) {
    if (value === null || value === undefined) return;
    const { stream, blob, type } = bodyOf(value);
    [this.#stream, this.#blob] = [stream, blob];
    if (type !== undefined && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }

  get body() { return (this.#stream ??= this.#blob?.stream() ?? null); }
  get bodyUsed() { return this.#used; }

  async #bytes() {
    if (this.#used || this.#stream?.locked) throw typeError('Body is unusable: Body has already been read');
    if (this.body === null) return Buffer.alloc(0);
    this.#used = true;
    const chunks = [];
    for await (const chunk of this.body) {
      if (!ArrayBuffer.isView(chunk)) throw typeError('Received non-Uint8Array chunk');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async arrayBuffer() { return new Uint8Array(await this.#bytes()).buffer; }
  async bytes() { return new Uint8Array(await this.#bytes()); }
  async blob() { return new Blob([await this.#bytes()], { type: this.headers.get('content-type') ?? '' }); }
  async text() { return new TextDecoder().decode(await this.#bytes()); }
  async json() { return JSON.parse(await this.text()); }
  async formData() { return decode(await this.#bytes(), this.headers.get('content-type') ?? ''); }

  _teeBody() {
    if (this.#used || this.#stream?.locked) throw typeError(`${this.constructor.name}.clone: Body has already been consumed.`);
    if (this.body === null) return null;
    const [own, other] = this.#stream.tee();
    this.#stream = own;
    return other;
  }
}
for (const name of ['_setBody', '_teeBody']) Object.defineProperty(Body.prototype, name, { enumerable: false });
const MEMBERS = ['arrayBuffer', 'blob', 'body', 'bodyUsed', 'bytes', 'formData', 'json', 'text'];
for (const name of MEMBERS) Object.defineProperty(Body.prototype, name, { enumerable: true });

class Response extends Body {
  #values;

  constructor(body = null, init = {}) {
    super();
    const { status = 200, statusText = '', headers, url = '', redirected = false, type = 'default' } = init ?? {};
    if (!(status >= 200 && status <= 599) && type === 'default') throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    this.#values = { status, statusText: `${statusText}`, headers: new Headers(headers), url, redirected, type };
    if (body !== null && [101, 204, 205, 304].includes(status)) throw typeError(`Response constructor: Invalid response status code ${status}`);
    this._setBody(body);
  }

  static error() { return new Response(null, { status: 0, type: 'error' }); }
  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }

  get type() { return this.#values.type; }
  get url() { return this.#values.url; }
  get redirected() { return this.#values.redirected; }
  get status() { return this.#values.status; }
  get ok() { return this.status >= 200 && this.status <= 299; }
  get statusText() { return this.#values.statusText; }
  get headers() { return this.#values.headers; }
  clone() { return new Response(this._teeBody(), this.#values); }

  [customInspectSymbol](...args) {
    const { status, statusText, headers, body, bodyUsed, ok, redirected, type, url } = this;
    return inspectAs(this, 'Response', { status, statusText, headers, body, bodyUsed, ok, redirected, type, url }, ...args);
  }
}
defineWebClass(Response, ['type', 'url', 'redirected', 'status', 'ok', 'statusText', 'headers', 'clone']);

class Request extends Body {
  #values;

  constructor(input, init = {}) {
    super();
    const from = input instanceof Request ? input : undefined;
    const url = from?.url ?? (URL.canParse(`${input}`) ? new URL(`${input}`).href : undefined);
    if (url === undefined) throw typeError(`Failed to parse URL from ${input}`);
    const { method = from?.method ?? 'GET', headers = from?.headers, body = init.body === undefined ? from?._teeBody() ?? null : init.body } = init;
    const { redirect = from?.redirect ?? 'follow', signal = from?.signal ?? new AbortController().signal, keepalive = false, duplex } = init;
    const upper = /^(get|head|post|put|delete|options|patch)$/i.test(method) ? method.toUpperCase() : `${method}`;
    if (body !== null && (upper === 'GET' || upper === 'HEAD')) throw typeError('Request with GET/HEAD method cannot have body.');
    if (init.body instanceof ReadableStream && duplex !== 'half') throw typeError('RequestInit: duplex option is required when sending a body.');
    this.#values = { url, method: upper, headers: new Headers(headers), redirect, signal, keepalive };
    this._setBody(body);
  }

  get method() { return this.#values.method; }
  get url() { return this.#values.url; }
  get headers() { return this.#values.headers; }
  get redirect() { return this.#values.redirect; }
  get signal() { return this.#values.signal; }
  get keepalive() { return this.#values.keepalive; }
  clone() { return new Request(this.url, { ...this.#values, body: this._teeBody() ?? undefined, duplex: 'half' }); }
}
defineWebClass(Request, ['method', 'url', 'headers', 'redirect', 'signal', 'keepalive', 'clone']);

async function fetch(input, init = undefined) {
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  return follow(request, new URL(request.url), request.method, body, 0);
}

async function follow(request, url, method, body, count) {
  if (url.protocol !== 'http:') throw typeError('fetch failed', new codes.ERR_MAUVE_NOT_IMPLEMENTED(`fetch for ${url.protocol}`));
  const headers = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-encoding': 'br, gzip, deflate', ...Object.fromEntries(request.headers) };
  if (body !== null) headers['content-length'] = body.length;
  const message = await new Promise((resolve, reject) => {
    const client = require('http').request(url, { method, headers, signal: request.signal });
    client.on('response', resolve).on('error', (error) => reject(request.signal.aborted ? request.signal.reason : typeError('fetch failed', error))).end(body);
  });
  const { statusCode: status, statusMessage: statusText, headers: { location } } = message;
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined && request.redirect !== 'manual') {
    message.resume();
    if (request.redirect === 'error' || count === 20) throw typeError('fetch failed', new Error(count === 20 ? 'redirect count exceeded' : 'unexpected redirect'));
    const isGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST';
    if (isGet) request.headers.delete('content-type');
    return follow(request, new URL(location, url), isGet ? 'GET' : method, isGet ? null : body, count + 1);
  }
  const result = [];
  for (let i = 0; i < message.rawHeaders.length; i += 2) result.push([message.rawHeaders[i], message.rawHeaders[i + 1]]);
  const decoder = { gzip: 'createGunzip', 'x-gzip': 'createGunzip', deflate: 'createInflate', br: 'createBrotliDecompress' }[message.headers['content-encoding']];
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  const stream = decoder && !isEmpty ? require('stream').pipeline(message, require('zlib')[decoder](), () => {}) : message;
  if (isEmpty) message.resume();
  const chunks = ReadableStream.from((async function* () { for await (const chunk of stream) yield new Uint8Array(chunk); })());
  return new Response(isEmpty ? null : chunks, { status, statusText, headers: result, url: url.href, redirected: count > 0, type: 'basic' });
}

module.exports = { fetch, FormData, Headers, Request, Response };

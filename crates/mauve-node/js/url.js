// The module 'url': the WHATWG classes and the legacy functions.
const modern = require('internal/url');
const legacy = require('internal/url_legacy');
const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');

// Formats a WHATWG URL without the parts that the options exclude.
function formatURL(url, options) {
  if (options !== undefined) validateObject(options, 'options');
  const { fragment = true, unicode = false, search = true, auth = true } = options ?? {};
  let text = url.protocol;
  const host = unicode ? modern.domainToUnicode(url.hostname) : url.hostname;
  if (url.host !== '' || url.protocol === 'file:') {
    text += '//';
    if (auth && (url.username || url.password)) text += url.password ? `${url.username}:${url.password}@` : `${url.username}@`;
    text += host + (url.port === '' ? '' : `:${url.port}`);
  }
  text += url.pathname;
  if (search) text += url.search;
  if (fragment) text += url.hash;
  return text;
}

function format(value, options) {
  if (typeof value === 'string') return legacy.parse(value).format();
  if (typeof value !== 'object' || value === null) throw new codes.ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], value);
  if (value instanceof modern.URL) return formatURL(value, options);
  return legacy.Url.prototype.format.call(value);
}

function domain(convert) {
  return (...args) => {
    if (args.length === 0) throw new codes.ERR_MISSING_ARGS('domain');
    return convert(args[0]);
  };
}

module.exports = {
  Url: legacy.Url,
  parse: legacy.parse,
  resolve: legacy.resolve,
  resolveObject: legacy.resolveObject,
  format,
  URL: modern.URL,
  URLSearchParams: modern.URLSearchParams,
  domainToASCII: domain(modern.domainToASCII),
  domainToUnicode: domain(modern.domainToUnicode),
  pathToFileURL: modern.pathToFileURL,
  fileURLToPath: modern.fileURLToPath,
  urlToHttpOptions: modern.urlToHttpOptions,
};

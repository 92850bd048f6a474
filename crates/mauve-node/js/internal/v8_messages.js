// Translates the engine's error messages to those of V8, which the binding knows.
const native = binding('errno');

// The text that JSON.parse is parsing, and whether its argument was a string.
let json = null;

exports.translateMessage = function translateMessage(error, sites, position) {
  if (!(error instanceof Error)) return;
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (typeof descriptor?.value !== 'string') return;
  const message = native.v8Message(descriptor.value, error instanceof TypeError, error instanceof SyntaxError ? json : null, sites, position);
  if (message !== undefined) error.message = message;
};

exports.install = function install() {
  const original = JSON.parse;
  JSON.parse = function parse(text, reviver) {
    const outer = json;
    json = [String(text), typeof text === 'string'];
    try {
      return original(json[0], reviver);
    } finally {
      json = outer;
    }
  };
};

// util.parseArgs: splits the arguments into tokens, then checks and stores them.
const { codes } = require('internal/errors');
const validators = require('internal/validators');
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
const isOptionLike = (text) => text.length > 1 && text[0] === '-';

function tokenize(args, options) {
  const choices = Object.entries(options).map(([name, option]) => [name, own(option, 'short') ?? '', own(option, 'type')]);
  return binding('util').tokenizeArguments(args.map(String), choices.flat());
}

// The option that a token refers to, undefined if there is none.
function usedOption({ options, allowNegative }, name) {
  if (Object.hasOwn(options, name)) return name;
  const positive = name.slice(3);
  const isNegated = allowNegative && name.startsWith('no-') && own(own(options, positive) ?? {}, 'type') === 'boolean';
  return isNegated ? positive : undefined;
}

function checkUsage(config, item) {
  const name = usedOption(config, item.name);
  if (name === undefined) throw new codes.ERR_PARSE_ARGS_UNKNOWN_OPTION(item.rawName, config.allowPositionals);
  const option = config.options[name];
  const short = own(option, 'short');
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  const type = own(option, 'type');
  if (type === 'string' && typeof item.value !== 'string') {
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  }
  if (type === 'boolean' && item.value != null) throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
}

function checkAmbiguousValue(item) {
  if (item.inlineValue || typeof item.value !== 'string' || !isOptionLike(item.value)) return;
  const example = item.rawName.startsWith('--') ? `'${item.rawName}=-XYZ'` : `'--${item.name}=-XYZ' or '${item.rawName}-XYZ'`;
  throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${item.rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${item.rawName}'?\n` +
    `To specify an option argument starting with a dash use ${example}.`);
}

function store(name, value, options, values) {
  if (name === '__proto__') return;
  const stored = value === undefined ? true : value;
  if (own(own(options, name) ?? {}, 'multiple')) {
    if (values[name]) values[name].push(stored);
    else values[name] = [stored];
  } else {
    values[name] = stored;
  }
}

function checkOptions(options) {
  for (const [name, option] of Object.entries(options)) {
    validators.validateObject(option, `options.${name}`);
    const type = own(option, 'type');
    if (type !== 'string' && type !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}.type`, "('string|boolean')", type);
    if (Object.hasOwn(option, 'short')) {
      validators.validateString(option.short, `options.${name}.short`);
      if (option.short.length !== 1) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}.short`, option.short, 'must be a single character');
    }
    const multiple = own(option, 'multiple');
    if (Object.hasOwn(option, 'multiple')) validators.validateBoolean(multiple, `options.${name}.multiple`);
    const fallback = own(option, 'default');
    if (fallback === undefined) continue;
    const check = (value, label) => (type === 'string' ?
      validators.validateString(value, label) : validators.validateBoolean(value, label));
    if (multiple) {
      validators.validateArray(fallback, `options.${name}.default`);
      fallback.forEach((value, i) => check(value, `options.${name}.default[${i}]`));
    } else {
      check(fallback, `options.${name}.default`);
    }
  }
}

// The settings of one call, with defaults for those that are not given.
function readConfig(given) {
  const strict = own(given, 'strict') ?? true;
  const config = { args: process.argv.slice(2), strict, allowPositionals: !strict, tokens: false, allowNegative: false, options: {} };
  for (const name of Object.keys(config)) config[name] = own(given, name) ?? config[name];
  validators.validateArray(config.args, 'args');
  for (const flag of ['strict', 'allowPositionals', 'tokens', 'allowNegative']) validators.validateBoolean(config[flag], flag);
  validators.validateObject(config.options, 'options');
  checkOptions(config.options);
  return config;
}

function parseArgs(given = {}) {
  const config = readConfig(given);
  const { options, strict, allowPositionals, allowNegative } = config;
  const tokens = tokenize(config.args, options);
  const result = { values: Object.create(null), positionals: [] };
  if (config.tokens) result.tokens = tokens;
  for (const item of tokens) {
    if (item.kind === 'option') {
      if (strict) {
        checkUsage(config, item);
        checkAmbiguousValue(item);
      }
      // "--no-color" sets "color" to false.
      const isNegative = allowNegative && item.value === undefined && item.name.startsWith('no-');
      if (isNegative) item.name = item.name.slice(3);
      store(item.name, isNegative ? false : item.value, options, result.values);
    } else if (item.kind === 'positional') {
      if (!allowPositionals) throw new codes.ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(item.value);
      result.positionals.push(item.value);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    const fallback = own(option, 'default');
    if (fallback !== undefined && result.values[name] === undefined) result.values[name] = fallback;
  }
  return result;
}

module.exports = { parseArgs };

// util.parseArgs: the tokens of all forms of arguments, and what is refused.
const { parseArgs } = require('util');
const options = {
  foo: { type: 'string', short: 'f' },
  bar: { type: 'boolean', short: 'b' },
  list: { type: 'string', short: 'l', multiple: true },
  'long-name': { type: 'boolean' },
};
const ARGUMENTS = [
  [], ['-f', 'x'], ['-fx'], ['-bfx'], ['-bf', 'x'], ['-bl', '1', '-l', '2', '--list=3'], ['--foo', 'a', '--', '-b', 'c'], ['--foo=a=b'],
  ['--foo='], ['-'], ['--'], ['a', '-b', 'c'], ['--long-name', '--no-bar'], ['-x'], ['-xyz'], ['--=x'], ['--unknown=1'], ['-é'], ['--foo'],
  ['-f'], ['-b', '-b'], ['--foo', '-b'], ['-bb', 'p'], ['-lfb'], ['---x'], ['-b=1'], ['-f=1'], [''],
];
for (const args of ARGUMENTS) {
  for (const settings of [{}, { strict: false }, { allowPositionals: true }, { allowPositionals: true, allowNegative: true }]) {
    try {
      console.log(JSON.stringify(args), JSON.stringify(parseArgs({ args, options, tokens: true, ...settings })));
    } catch (err) {
      console.log(JSON.stringify(args), err.code, err.message);
    }
  }
}
console.log(parseArgs({ args: ['-bfx', 'y'], options, tokens: true, allowPositionals: true }).tokens);

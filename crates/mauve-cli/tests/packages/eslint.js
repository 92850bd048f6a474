// ESLint: its class and its command, with the recommended rules.
const { ESLint, Linter } = require('eslint');
(async () => {
  const rules = { 'no-unused-vars': 'error', eqeqeq: 'warn', 'prefer-const': 'error', 'no-undef': 'error', semi: ['error', 'always'], 'no-unreachable': 'error', 'no-fallthrough': 'error', indent: ['error', 2] };
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: [{ languageOptions: { globals: { console: 'readonly' } }, rules }], fix: false });
  const code = "let a = 1\nif (a == 2) {\n    console.log(b);\n}\nfunction unused() { return 1; a = 2; }\nasync function* gen() { yield* await x?.y ?? 1n; }\n";
  const [result] = await eslint.lintText(code, { filePath: 'sample.js' });
  for (const { line, column, ruleId, severity, message } of result.messages) console.log(line, column, ruleId, severity, message);
  console.log((await eslint.loadFormatter('stylish')).format([result]).replace(/\S*sample\.js/, 'sample.js'));
  const linter = new Linter();
  console.log(linter.verifyAndFix('var a = 1\nlet b = a', { rules: { 'no-var': 'error', 'prefer-const': 'error', semi: 'error' } }));
  console.log(linter.verify('const x = {;', {})[0].message);
})();

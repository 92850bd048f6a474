// assert() quotes the expression that failed.
const assert = require('assert');
const attempt = (action) => { try { action(); } catch (error) { console.log(error.message, error.generatedMessage, error.operator, error.actual, error.expected); } };
const value = 0;
attempt(() => assert(value));
attempt(() => assert.ok(value === 1));
attempt(() => assert.ok(typeof 123 === 'string', undefined));
attempt(() => {
  assert(
    value > 5 &&
      'text (with) brackets' === "other",
  );
});
attempt(() => assert.strict(null));
attempt(() => assert.ok());
attempt(() => assert.equal(assert(false), 1));
attempt(() => { const x = { y: [1, 2] }; assert.ok(x.y.includes(3) || (`template ${x.y.length})` && false)); });

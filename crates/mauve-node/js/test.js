// The module 'node:test', which is a function.
const { after, afterEach, before, beforeEach, suite, test } = require('internal/test_runner');
const standIn = require('internal/stand_in');
const { MockTracker } = require('internal/test_mock');
const assert = standIn('test.assert');
const mock = new MockTracker();
const own = { after, afterEach, assert, before, beforeEach, describe: suite, it: test, mock, only: test.only, skip: test.skip, suite, test, todo: test.todo };
module.exports = Object.defineProperties(test, Object.getOwnPropertyDescriptors(standIn('test', own)));

// process.setuid() and similar functions.
const { setCredentials } = binding('process');
const { codes } = require('internal/errors');

exports.install = function install() {
  for (const [name, kind] of [['setuid', 'User'], ['seteuid', 'User'], ['setgid', 'Group'], ['setegid', 'Group']]) {
    process[name] = { [name](id) { change(name, [toId(id, 'id', kind)]); } }[name];
  }
  process.setgroups = function setgroups(groups) {
    require('internal/validators').validateArray(groups, 'groups');
    change('setgroups', groups.map((group, i) => toId(group, `groups[${i}]`, 'Group')));
  };
  process.initgroups = function initgroups(user, extraGroup) {
    check(user, 'user');
    if (isUringRequested) change('initgroups');
    const gid = toId(extraGroup, 'extraGroup', 'Group');
    const uid = toId(user, 'user', 'User');
    const [name] = readTable('User').find(([, , id]) => Number(id) === uid) ?? [String(user)];
    change('initgroups', [gid], name);
  };
};

// As in Node: the kernel thread of an io_uring keeps the old credentials. Files are read with one by default,
// but the permissions are checked when they are opened.
const isUringRequested = Number(process.env.UV_USE_IO_URING) > 0;

function change(syscall, ids, user) {
  if (isUringRequested) {
    const error = new Error(`${syscall}() disabled: io_uring may be enabled. See CVE-2024-22017.`);
    throw Object.assign(error, { code: 'ERR_INVALID_STATE' });
  }
  const errno = setCredentials(syscall, ids, user ?? '');
  if (errno === 0) return;
  const [code, message] = require('util').getSystemErrorMap().get(-errno);
  const text = `${code}, ${message[0].toUpperCase()}${message.slice(1)}`;
  throw Object.assign(new Error(text), { errno, code, syscall });
}

// The number of a user or a group, from a number or a name.
function toId(id, argument, kind) {
  check(id, argument);
  if (typeof id === 'number') return id;
  const entry = readTable(kind).find(([name]) => name === id);
  if (entry === undefined) throw new codes.ERR_UNKNOWN_CREDENTIAL(kind, id);
  return Number(entry[2]);
}

function check(id, argument) {
  if (typeof id === 'number') require('internal/validators').validateUint32(id, argument);
  else if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(argument, ['number', 'string'], id);
}

function readTable(kind) {
  const file = kind === 'User' ? '/etc/passwd' : '/etc/group';
  return require('fs').readFileSync(file, 'utf8').split('\n').map((line) => line.split(':'));
}

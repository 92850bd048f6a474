// process.setuid() and similar functions. They check their arguments and then throw, because the loop uses
// io_uring: the kernel thread of a ring keeps the old credentials. Node refuses them for the same reason.

exports.install = function install() {
  for (const [name, kind] of [['setuid', 'User'], ['seteuid', 'User'], ['setgid', 'Group'], ['setegid', 'Group']]) {
    process[name] = (id) => change(name, [[id, 'id', kind]]);
  }
  process.setgroups = function setgroups(groups) {
    require('internal/validators').validateArray(groups, 'groups');
    change('setgroups', groups.map((group, i) => [group, `groups[${i}]`, 'Group']));
  };
  process.initgroups = (user, extraGroup) => change('initgroups', [[user, 'user'], [extraGroup, 'extraGroup', 'Group']]);
};

function change(name, ids) {
  const { codes } = require('internal/errors');
  for (const [id, argument, kind] of ids) {
    if (typeof id === 'number') {
      require('internal/validators').validateUint32(id, argument);
    } else if (typeof id !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE(argument, ['number', 'string'], id);
    } else if (kind && !isKnown(kind, id)) {
      throw new codes.ERR_UNKNOWN_CREDENTIAL(kind, id);
    }
  }
  const err = new Error(`${name}() disabled: io_uring may be enabled. See CVE-2024-22017.`);
  throw Object.assign(err, { code: 'ERR_INVALID_STATE' });
}

function isKnown(kind, name) {
  const file = kind === 'User' ? '/etc/passwd' : '/etc/group';
  return require('fs').readFileSync(file, 'utf8').split('\n').some((line) => line.startsWith(`${name}:`));
}

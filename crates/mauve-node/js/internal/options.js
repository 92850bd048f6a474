// Node's options, from the command line and NODE_OPTIONS. Later ones override earlier ones.
const { flags } = binding('host');
const last = new Map(flags);

exports.has = (name) => last.has(name);
exports.get = (name) => last.get(name);
exports.all = (name) => flags.filter((flag) => flag[0] === name).map((flag) => flag[1]);

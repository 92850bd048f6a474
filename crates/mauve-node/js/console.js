// The console. (Placeholder until the full module is merged.)
const { writeText } = binding('stdio');
const show = (v) => typeof v === 'string' ? v : typeof v === 'object' && v !== null && !(v instanceof Error) ? JSON.stringify(v) : String(v?.stack ?? v);
exports.log = (...a) => writeText(1, a.map(show).join(' ') + '\n');
exports.error = (...a) => writeText(2, a.map(show).join(' ') + '\n');

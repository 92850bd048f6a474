const dns = require('dns');

function attempt(...args) {
  try {
    dns.lookup(...args);
    console.log('ok');
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
attempt(1, () => {});
attempt('x');
attempt('x', {});
attempt('x', 5, () => {});
attempt('x', 'y', () => {});
attempt('x', { family: 7 }, () => {});
attempt('x', { hints: 1 << 20 }, () => {});
attempt('x', { hints: 'x' }, () => {});
attempt('x', { all: 1 }, () => {});
attempt('x', { verbatim: 1 }, () => {});
attempt('x', { order: 'x' }, () => {});
for (const args of [[], ['127.0.0.1', 80], ['x', 80, () => {}], ['127.0.0.1', 70000, () => {}], ['127.0.0.1', 80, 1]]) {
  try {
    dns.lookupService(...args);
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
try { dns.setDefaultResultOrder('x'); } catch (err) { console.log(err.code, err.message); }
console.log(dns.getDefaultResultOrder());
dns.setDefaultResultOrder('ipv4first');
console.log(dns.getDefaultResultOrder(), dns.NOTFOUND, dns.ADDRCONFIG, dns.V4MAPPED, dns.ALL);

const net = require('net');

for (const text of ['127.0.0.1', '0.0.0.0', '256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '::', '::1',
  '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8', '1::2::3', 'fe80::1%eth0', 'fe80::1%', '', ' ', 'localhost',
  '12345::', '1:2:3:4:5:6:7', '::1/64', '1.2.3.4 ', 'abcd:ef01::', 'ABCD::', 'g::']) {
  console.log(JSON.stringify(text), net.isIP(text), net.isIPv4(text), net.isIPv6(text));
}
console.log(net.isIP(), net.isIP(null), net.isIP({}), net.isIP([]), net.isIP(127));
console.log(net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout());

// net.isIP, net.isIPv4 and net.isIPv6.
let native;

function isIP(input) {
  if (typeof input !== 'string') input = `${input}`;
  return (native ??= binding('tcp').isIP)(input);
}

module.exports = { isIP, isIPv4: (input) => isIP(input) === 4, isIPv6: (input) => isIP(input) === 6 };

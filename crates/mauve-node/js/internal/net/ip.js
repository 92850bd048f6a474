// Which version of the internet protocol an address is of.

let native;

function isIP(input) {
  if (typeof input !== 'string') input = `${input}`;
  return (native ??= binding('tcp').isIP)(input);
}

module.exports = {
  isIP,
  isIPv4: (input) => isIP(input) === 4,
  isIPv6: (input) => isIP(input) === 6,
};

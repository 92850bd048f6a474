// The DNS record types that dns.Resolver has a method for.
const RECORD_TYPES = Object.fromEntries(
  binding('util').table('recordTypes').map(([type, method, number]) => [type, { method, number: Number(number) }]));

module.exports = {
  RECORD_TYPES,
  // The type of a number in a message.
  typeOf: (number) => Object.keys(RECORD_TYPES).find((type) => RECORD_TYPES[type].number === number),
  methods: ['getServers', 'setServers', 'resolve', 'reverse',
    ...Object.values(RECORD_TYPES).map(({ method }) => method)],
};

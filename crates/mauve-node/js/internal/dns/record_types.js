// The DNS record types that dns.Resolver has a method for.

const RECORD_TYPES = {
  A: { method: 'resolve4', number: 1 },
  NS: { method: 'resolveNs', number: 2 },
  CNAME: { method: 'resolveCname', number: 5 },
  SOA: { method: 'resolveSoa', number: 6 },
  PTR: { method: 'resolvePtr', number: 12 },
  MX: { method: 'resolveMx', number: 15 },
  TXT: { method: 'resolveTxt', number: 16 },
  AAAA: { method: 'resolve6', number: 28 },
  SRV: { method: 'resolveSrv', number: 33 },
  NAPTR: { method: 'resolveNaptr', number: 35 },
  CAA: { method: 'resolveCaa', number: 257 },
  ANY: { method: 'resolveAny', number: 255 },
};

module.exports = {
  RECORD_TYPES,
  // The type of a number in a message.
  typeOf: (number) => Object.keys(RECORD_TYPES).find((type) => RECORD_TYPES[type].number === number),
  methods: ['getServers', 'setServers', 'resolve', 'reverse',
    ...Object.values(RECORD_TYPES).map(({ method }) => method)],
};

// The module 'tls': its constants.
const { refused } = require('internal/errors');

module.exports = require('internal/stand_in')('tls', {
  get rootCertificates() { return refused('tls', 'rootCertificates')(); },
});

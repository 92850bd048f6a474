const dns = require('dns');
dns.lookupService('127.0.0.1', 80, (err, hostname, service) => {
  console.log(err, hostname, service);
  dns.promises.lookupService('127.0.0.1', 54321).then(console.log);
});

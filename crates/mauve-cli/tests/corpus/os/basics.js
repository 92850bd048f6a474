// os: properties that are the same for both programs on one machine.
const os = require('os');
console.log(os.platform(), os.type(), os.arch(), os.release(), os.version(), os.machine(), os.endianness(), JSON.stringify(os.EOL), os.devNull);
console.log(os.hostname(), os.homedir(), os.tmpdir(), os.cpus().length, os.availableParallelism(), os.totalmem());
console.log(os.userInfo(), Object.keys(os.cpus()[0]), Object.keys(os.cpus()[0].times), os.loadavg().length, typeof os.uptime(), typeof os.freemem());
console.log(os.networkInterfaces().lo?.map(({ address, netmask, family, mac, internal, cidr, scopeid }) => [address, netmask, family, mac, internal, cidr, scopeid]));
console.log(os.constants.signals.SIGINT, os.constants.errno.ENOENT, os.constants.priority.PRIORITY_LOW, Object.keys(os.constants.errno).length, Object.keys(os.constants.signals).length);
console.log(os.getPriority(), os.getPriority(process.pid), `${os.platform}`);
for (const attempt of [() => os.getPriority('x'), () => os.setPriority(0, 99), () => os.getPriority(2 ** 31)]) {
  try {
    attempt();
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}

// args: one --two
console.log(process.argv.slice(2), process.argv.length, typeof process.argv[0], process.argv[1] === __filename);
console.log(process.platform, process.arch, process.version.startsWith('v24.'), typeof process.versions.uv, process.release.name);
console.log(typeof process.pid, typeof process.ppid, process.cwd() === require('path').resolve('.'), process.title.length > 0);
console.log(process.uptime() > 0, process.hrtime().length, typeof process.hrtime.bigint(), process.hrtime([0, 0])[0] > 0);
const m = process.memoryUsage(); console.log(m.rss > 0, m.heapUsed > 0, typeof m.external);
console.log(typeof process.umask(), process.getuid() === process.geteuid(), Array.isArray(process.getgroups()));
console.log(typeof process.cpuUsage().user, process.exitCode, Object.prototype.toString.call(process), String(globalThis));

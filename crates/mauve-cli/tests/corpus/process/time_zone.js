// Dates follow changes of process.env.TZ. The names of the zones depend on the system.
const date = new Date('2018-04-14T12:34:56.789Z');
for (const zone of ['Europe/Amsterdam', 'America/New_York', 'Etc/UTC']) {
  process.env.TZ = zone;
  console.log(date.toString().replace(/\(.+\)$/, '(name)'), date.getTimezoneOffset(), date.getHours());
  console.log(date.toTimeString().replace(/\(.+\)$/, '(name)'), `${date}`.length > 33);
}
console.log(date.toString());
console.log(new Date(NaN).toString(), new Date(NaN).toTimeString());
try {
  Date.prototype.toString.call({});
} catch (error) {
  console.log(error.name);
}
console.log(delete process.env.TZ, process.env.TZ, Date.prototype.toString.name, Date.prototype.toString.length);

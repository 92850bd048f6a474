// What the scripts share: one line per workload, as the C programs print it.
'use strict';

// Runs `work`, which does `operations` operations, and prints what each has cost.
exports.measure = async (name, operations, work) => {
  const wall = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const passed = Number(process.hrtime.bigint() - wall);
  const line = [name, ((user + system) * 1000) / operations, passed / operations, '-'];
  console.log(line.join('\t'));
};

// Code that the scripts share. Each workload prints one line, in the format of the C programs.
'use strict';

// Runs `work`, which performs this number of operations. Prints CPU and elapsed time per operation.
exports.measure = async (name, operations, work) => {
  const wall = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = Number(process.hrtime.bigint() - wall);
  const line = [name, ((user + system) * 1000) / operations, elapsed / operations, '-'];
  console.log(line.join('\t'));
};

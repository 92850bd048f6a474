// winston: formats, levels, files, child loggers and profiles.
const winston = require('winston');
const fs = require('fs');
const path = require('path');
const directory = fs.mkdtempSync(path.join(require('os').tmpdir(), 'winston-'));
const file = path.join(directory, 'all.log');
const { combine, printf, errors, splat, json, label, colorize, align } = winston.format;
const logger = winston.createLogger({
  level: 'debug',
  format: combine(errors({ stack: false }), splat(), label({ label: 'app' })),
  transports: [
    new winston.transports.Console({ format: combine(colorize(), align(), printf(({ level, message, label }) => `${label} ${level} ${message}`)) }),
    new winston.transports.File({ filename: file, format: json() }),
    new winston.transports.Stream({ stream: process.stdout, level: 'warn', format: winston.format.simple() }),
  ],
});
logger.info('hello %s %d', 'world', 7, { meta: true });
logger.debug('details');
logger.silly('never');
logger.warn('careful', { code: 3 });
logger.error(new Error('failed'));
logger.child({ request: 9 }).info('from a child');
logger.on('finish', () => setTimeout(() => {
  console.log(fs.readFileSync(file, 'utf8').replace(/"stack":"[^"]*",?/g, ''));
  fs.rmSync(directory, { recursive: true });
}, 100));
logger.end();

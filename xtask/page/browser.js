// A page in headless Chromium, driven with Playwright.
'use strict';
const { execFileSync } = require('child_process');
const path = require('path');
const { chromium } = require('playwright-core');

// Loading a million records takes seconds.
const PATIENCE = 90_000;

/** Calls `use` with a page of this size. `page.problems` has the errors and warnings of the page. */
exports.withPage = async ({ width, height, scale = 1 }, use) => {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  // The sandbox needs privileges that containers lack. Only files of this repository are opened.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
    page.setDefaultTimeout(PATIENCE);
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning', 'assert'].includes(message.type())) page.problems.push(message.text());
    });
    return await use(page);
  } finally {
    await browser.close();
  }
};

/** Opens a file. */
exports.load = async (page, file) => {
  page.problems.length = 0;
  await page.goto(`file://${path.resolve(file)}`);
};

/** Opens the page of a trace, and waits until it has drawn the trace. */
exports.open = async (page, file) => {
  await exports.load(page, file);
  await page.waitForFunction('globalThis.mauve?.frames > 0');
};

/** Waits for two frames, so that what was changed is drawn. */
exports.idle = (page) => page.evaluate(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  do await frame(); while (mauve.view.ease);
  await frame();
});

/** Runs a task, whose failure is the exit status. */
exports.main = (task) => task(...process.argv.slice(2)).catch((error) => {
  console.log(error.message);
  process.exitCode = 1;
});

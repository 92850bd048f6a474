// Takes pictures of pages of traces.
//
//   node pictures.js readme PAGE FILE [SCRIPT]   the picture of the README: the page as it opens, or as SCRIPT prepares it
//   node pictures.js timeline PAGE FILE VIEW     only the timeline, as FILE.light.png and FILE.dark.png
//   node pictures.js check PAGE COUNT            no picture: checks that the page shows COUNT callbacks
'use strict';
const assert = require('assert');
const { idle, main, open, withPage } = require('./browser.js');

// Pixels of a picture per pixel of the page.
const scale = 1.5;

/** Hides everything except the timeline. */
function hideOthers() {
  const style = document.createElement('style');
  style.textContent = `#top, #cards, #remarks, #grip, #panel, #overview, .corner:first-child { display: none !important }
    #timeline { flex: none !important; height: 100vh !important; grid-template-rows: auto 1fr auto !important; }`;
  document.head.append(style);
  if (mauve.hasCharts) mauve.toggleCharts();
}

const timelineHeight = () => Math.ceil(
  mauve.layout.height / mauve.layout.scale + axis.clientHeight + legend.clientHeight + 28);

/** Shows everything, or what follows the first request of the pool. */
function showView(view) {
  const { callbacks, requests } = mauve.model;
  const from = (view === 'requests' ? requests : callbacks).begin[0];
  const to = callbacks.end.subarray(0, callbacks.rows).reduce((most, time) => Math.max(most, time), 0);
  mauve.view.show(from - (to - from) * 0.06, to + (to - from) * 0.06, false);
}

const tasks = {
  readme: (file, target, script) => withPage({ width: 1280, height: 880, scale }, async (page) => {
    await open(page, file);
    if (script !== undefined) await page.evaluate(`{ ${script} }`);
    await idle(page);
    await page.screenshot({ path: target });
  }),

  async timeline(file, target, view) {
    for (const theme of ['light', 'dark']) {
      await withPage({ width: 960, height: 600, scale }, async (page) => {
        await open(page, file);
        if (theme === 'dark') await page.evaluate(() => mauve.toggleTheme());
        await page.evaluate(hideOthers);
        await idle(page);
        await page.setViewportSize({ width: 960, height: await page.evaluate(timelineHeight) });
        await idle(page);
        await page.evaluate(showView, view);
        await idle(page);
        await page.screenshot({ path: `${target}.${theme}.png` });
      });
    }
  },

  check: (file, count) => withPage({ width: 1200, height: 800 }, async (page) => {
    await open(page, file);
    await idle(page);
    assert.equal(await page.evaluate(() => mauve.model.callbacks.rows), Number(count));
    assert.deepEqual(page.problems, []);
  }),
};

main((task, ...rest) => tasks[task](...rest));

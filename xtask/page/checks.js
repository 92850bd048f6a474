// Checks the page of a trace as a user does: node checks.js SMALL.html LARGE.html DECIDED.html [--bless]
//
// The small page has a few thousand callbacks, the large one more than a million. The third one has decisions of a
// schedule. With --bless, the reference of the screenshot is written instead.
'use strict';
const assert = require('assert');
const fs = require('fs');
const { idle, main, open, withPage } = require('./browser.js');

const position = { x: 700, y: 330 };

const visible = (page) => page.evaluate(() => ({ from: mauve.view.from, to: mauve.view.to }));

const length = ({ from, to }) => to - from;

const press = async (page, key) => {
  await page.keyboard.press(key);
  await idle(page);
};

/** Zooms to a callback of the first loop whose block does not touch its neighbours. Returns its position. */
async function pick(page) {
  await page.evaluate(() => {
    const { callbacks } = mauve.model;
    const fits = (row) => row >= 100 && callbacks.lane[row] === 0 && callbacks.duration[row] > 15000;
    globalThis.picked = { table: 'callbacks', row: [...Array(callbacks.rows).keys()].find(fits) };
    mauve.zoomTo(picked);
  });
  await idle(page);
  return page.evaluate(() => {
    const { view, layout, model } = mauve;
    const { left, top } = document.getElementById('lanes').getBoundingClientRect();
    const track = layout.rowOf(model.callbacks.lane[picked.row]);
    const time = (model.callbacks.begin[picked.row] + model.callbacks.end[picked.row]) / 2;
    return { x: left + view.x(time), y: top + track.y + 4 - mauve.scroll };
  });
}

/** Drags from the right to the left. */
async function drag(page) {
  await page.mouse.move(900, position.y);
  await page.mouse.down();
  await page.mouse.move(600, position.y, { steps: 3 });
  await page.mouse.up();
  await idle(page);
}

const checks = {
  async 'loads without errors'(page) {
    await idle(page);
    assert.deepEqual(page.problems, []);
    assert.equal(await page.title(), 'server --port 80 · mauve trace');
    const requests = () => performance.getEntriesByType('resource').map((entry) => entry.name);
    assert.deepEqual(await page.evaluate(requests), []);
  },

  async 'has a lane for each loop and pool thread'(page) {
    const titles = await page.locator('.label b').allTextContents();
    assert.deepEqual(titles, ['Loop 1', 'Loop 2', 'Pool queue', 'Pool 1', 'Pool 2', 'Pool 3', 'Pool 4']);
    const counts = await page.evaluate(() => mauve.model.lanes.map((lane) => (
      lane.callbacks.reduce((sum, part) => sum + part.size, 0) + lane.jobs.size)));
    assert(counts.every((count) => count > 10), `blocks ${counts}`);
  },

  async 'draws callbacks as blocks in the colour of their phase'(page) {
    const [drawn, wanted] = await page.evaluate(({ x, y }) => {
      const canvas = document.getElementById('lanes');
      const { left, top } = canvas.getBoundingClientRect();
      const ctx = canvas.getContext('2d');
      const { data } = ctx.getImageData(x - left, y - top, 1, 1);
      const phase = mauve.model.phases[mauve.model.callbacks.phase[picked.row]];
      ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${phase}`);
      return ['#' + [...data].slice(0, 3).map((v) => v.toString(16).padStart(2, '0')).join(''), ctx.fillStyle];
    }, await pick(page));
    assert.equal(drawn, wanted);
  },

  async 'zooms at the pointer'(page) {
    const time = () => page.evaluate((x) => (
      mauve.view.time(x - document.getElementById('lanes').getBoundingClientRect().left)), position.x);
    const [before, whole] = [await time(), await visible(page)];
    await page.mouse.move(position.x, position.y);
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -240);
    await idle(page);
    const near = await visible(page);
    assert(length(near) < length(whole) / 4, `${length(near)} ns are visible`);
    const moved = Math.abs(await time() - before) / (length(near) / 1200);
    assert(moved < 2, `the time at the pointer has moved by ${moved} pixels`);
    await page.mouse.wheel(0, 9000);
    await idle(page);
    assert.deepEqual(await visible(page), whole, 'zooming out does not end at the whole trace');
  },

  async 'zooms and pans by keys'(page) {
    const views = [await visible(page)];
    for (const key of ['w', 'w', 'd', 'ArrowLeft', 's', '0']) {
      await press(page, key);
      views.push(await visible(page));
    }
    const [whole, , near, right, left, far, end] = views;
    assert(length(near) < length(whole) / 2, 'w zooms in');
    assert(right.from > near.from, 'd goes to the right');
    assert(left.from < right.from, 'the left arrow goes to the left');
    assert(length(far) > length(near), 's zooms out');
    assert.deepEqual(end, whole, '0 shows the whole trace');
  },

  async 'pans by dragging'(page) {
    await press(page, 'w');
    const before = await visible(page);
    await drag(page);
    assert((await visible(page)).from > before.from);
  },

  async 'selects a range'(page) {
    const whole = await visible(page);
    await page.keyboard.down('Shift');
    await drag(page);
    await page.keyboard.up('Shift');
    assert.deepEqual(await visible(page), whole, 'selecting a range moves the view');
    assert.equal(await page.locator('#scope').inputValue(), 'range');
    await press(page, 'z');
    const share = length(await visible(page)) / length(whole);
    assert(share > 0.2 && share < 0.3, `z shows ${share} of the trace`);
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => mauve.range), null, 'Escape keeps the range');
  },

  async 'finds callbacks by name'(page) {
    const selected = () => page.evaluate(() => mauve.selected.row);
    await press(page, '/');
    await page.keyboard.insertText('ON_TIMER');
    await page.waitForTimeout(250);
    const [found, expected] = await page.evaluate(() => [mauve.search.matches.length, (
      [...mauve.model.callbacks.name].filter((name) => mauve.model.names[name]?.function === 'on_timer').length)]);
    assert(expected > 10);
    assert.equal(found, expected);
    assert.equal(await page.locator('#matches').textContent(), String(expected));
    await press(page, 'Enter');
    const first = await selected();
    assert.equal(await page.evaluate((row) => mauve.model.nameOf(mauve.model.callbacks, row), first), 'on_timer');
    await press(page, 'Enter');
    assert.notEqual(await selected(), first, 'Enter does not go to the next match');
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => mauve.search.names), null, 'Escape keeps the search');
  },

  async 'shows details on hover'(page) {
    const { x, y } = await pick(page);
    assert(await page.locator('#tooltip').isHidden(), 'a box is shown before the pointer moves');
    await page.mouse.move(x, y);
    await idle(page);
    const { hovered, row, name, location } = await page.evaluate(() => ({
      hovered: mauve.hovered.row,
      row: picked.row,
      name: mauve.model.shortNameOf(mauve.model.callbacks, picked.row),
      location: mauve.model.locationOf(mauve.model.callbacks, picked.row),
    }));
    assert.equal(hovered, row);
    const text = await page.locator('#tooltip').textContent();
    for (const part of [name, location, 'phase', 'was ready for']) assert(text.includes(part), `${part}: ${text}`);
    await page.mouse.click(x, y);
    await idle(page);
    assert.equal(await page.locator('#details h2').textContent(), name);
  },

  async 'shows names as text'(page) {
    await page.evaluate(() => {
      mauve.model.names[0].short = '<img src=x onerror="globalThis.broken = true">';
      mauve.panel.open('functions');
    });
    await page.waitForTimeout(100);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
  },

  async 'draws the arrows of a selected callback'(page) {
    // Counts pixels in the colour of the pool in the charts of the first loop, which arrows cross.
    const count = () => page.evaluate(() => {
      const track = mauve.layout.tracks.find(({ type }) => type === 'length');
      const canvas = document.getElementById('lanes');
      const ctx = canvas.getContext('2d');
      const { data } = ctx.getImageData(0, track.y - mauve.scroll, canvas.width, track.height);
      const wanted = getComputedStyle(document.documentElement).getPropertyValue('--pool').trim();
      let found = 0;
      for (let i = 0; i < data.length; i += 4) {
        const hex = '#' + [...data.slice(i, i + 3)].map((v) => v.toString(16).padStart(2, '0')).join('');
        if (hex === wanted) found++;
      }
      return found;
    });
    await page.evaluate(() => {
      const { callbacks } = mauve.model;
      const fits = (row) => callbacks.request[row] >= 0 && callbacks.lane[row] === 0;
      globalThis.picked = { table: 'callbacks', row: [...callbacks.request.keys()].filter(fits)[20] };
      mauve.zoomTo({ table: 'requests', row: callbacks.request[picked.row] });
      document.getElementById('scroll').scrollTop = 0;
    });
    await idle(page);
    const before = await count();
    await page.evaluate(() => mauve.select(picked));
    await idle(page);
    const after = await count();
    assert(after > before + 20, `${before} pixels of arrows, ${after} when selected`);
    assert((await page.locator('#details nav button').allTextContents()).join().includes('request'));
  },

  async 'lists the slowest callbacks first'(page) {
    const rows = page.locator('#tables tbody tr');
    await rows.first().evaluate((row) => row.click());
    const [slowest, most] = await page.evaluate(() => {
      const { duration } = mauve.model.callbacks;
      return [duration[mauve.selected.row], Math.max(...duration)];
    });
    // A callback with another one inside that takes most of its time is left out.
    assert(slowest * 2 >= most, `${slowest} ns is listed first, the longest has ${most}`);
    assert(await rows.count() > 20);
    for (const tab of ['queues', 'blocked', 'functions', 'kinds']) {
      await page.locator(`#tab-${tab}`).evaluate((button) => button.click());
      assert(await rows.count() > 0, `the table ${tab} is empty`);
    }
  },

  async 'shows histograms'(page) {
    await page.evaluate(() => mauve.panel.open('histograms'));
    const cards = await page.locator('figure').all();
    assert.equal(cards.length, 5);
    for (const card of cards) {
      const text = await card.locator('.quantiles').textContent();
      assert(['p50', 'p99', 'max'].every((part) => text.includes(part)), text);
      assert(await card.locator('rect').count() > 0, text);
    }
    // The largest value is known exactly, the median within a bucket.
    const [max, median] = await page.evaluate(() => {
      const sorted = mauve.model.callbacks.duration.toSorted();
      const { durations } = mauve.panel.whole;
      return [durations.max / sorted.at(-1), durations.quantile(0.5) / sorted[sorted.length >> 1]];
    });
    assert(max === 1 && Math.abs(median - 1) < 0.04, `${max} and ${median} of the exact numbers`);
  },

  async 'opens at the slowest callback'(page) {
    const [slowest, most, isShown] = await page.evaluate(() => {
      const { begin, end, duration, rows } = mauve.model.callbacks;
      const { row } = mauve.selected;
      const isVisible = begin[row] >= mauve.view.from && end[row] <= mauve.view.to;
      return [duration[row], Math.max(...duration.subarray(0, rows)), isVisible];
    });
    assert(isShown, 'the selected callback is not visible');
    assert(slowest * 2 >= most, `${slowest} ns is selected, the longest has ${most}`);
    assert(await page.locator('#details h2').isVisible());
  },

  async 'has its labels beside their lanes'(page) {
    const distances = await page.evaluate(() => {
      const { top } = document.getElementById('lanes').getBoundingClientRect();
      return [...document.querySelectorAll('.label')].map((label, i) => (
        label.getBoundingClientRect().top - top - mauve.layout.lanes[i].tracks[0].y + mauve.scroll));
    });
    assert(distances.length === 7 && distances.every((distance) => Math.abs(distance) <= 1), `${distances}`);
  },

  async 'closes the help'(page) {
    const help = page.locator('#help');
    const closings = {
      Escape: () => press(page, 'Escape'),
      'a click outside': () => page.mouse.click(5, 300),
    };
    for (const [how, close] of Object.entries(closings)) {
      await press(page, '?');
      assert(await help.isVisible(), 'the help does not open');
      await close();
      await idle(page);
      assert(await help.isHidden(), `${how} does not close the help`);
    }
  },

  async 'shows units in a narrow window'(page) {
    await page.setViewportSize({ width: 700, height: 900 });
    await idle(page);
    const cut = await page.evaluate(() => {
      const isCut = (element) => (
        element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > innerWidth + 1);
      const parts = document.querySelectorAll('#cards *, #tables td:last-child, #verdict');
      return [...parts].filter((part) => part.clientWidth > 0 && isCut(part)).map((part) => part.textContent);
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.deepEqual(cut, []);
  },

  async 'names the program and its callbacks on a phone'(page) {
    await page.setViewportSize({ width: 420, height: 900 });
    await idle(page);
    const found = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      const [what, finder, name] = ['#what', '#finder', '#tables td:first-child'].map(box);
      return { overlaps: what.right > finder.left && what.bottom > finder.top, what: what.width, name: name.width };
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.ok(!found.overlaps && found.what > 200 && found.name > 100, JSON.stringify(found));
  },

  async 'is light or dark'(page, small) {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await press(page, 't');
    const dark = await background();
    assert.notEqual(light, dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, small);
    const preferred = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(preferred, dark);
  },

  async 'looks like its reference'(page) {
    const expected = JSON.parse(fs.readFileSync(REFERENCE, 'utf8'));
    const measured = await regions(page);
    const isFar = (region, i) => measured[i].some((value, at) => Math.abs(value - region[at]) > TOLERANCE);
    const differing = expected.map((_, i) => i).filter((i) => isFar(expected[i], i));
    const positions = differing.map((i) => `${i % COLUMNS},${Math.floor(i / COLUMNS)}`);
    assert(differing.length <= MOST, `${differing.length} parts of the picture differ: ${positions.join(' ')}`);
    assert.equal(measured.length, expected.length);
  },
};

// The screenshot is compared by the mean colours of large parts, so that fonts and the edges of blocks
// do not matter, and colours and the arrangement do.
const REFERENCE = `${__dirname}/regions.json`;
const COLUMNS = 16;
const ROWS = 10;

// A part differs if one of its colours, of 255, is this far from the reference. So many may differ.
const TOLERANCE = 22;
const MOST = 8;

/** The mean colours of all parts, row by row. The browser decodes the picture. */
async function regions(page) {
  await idle(page);
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(async ([source, columns, rows]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const ctx = new OffscreenCanvas(columns, rows).getContext('2d');
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(image, 0, 0, columns, rows);
    const { data } = ctx.getImageData(0, 0, columns, rows);
    return Array.from({ length: columns * rows }, (_, i) => [...data.slice(i * 4, i * 4 + 3)]);
  }, [picture, COLUMNS, ROWS]);
}

/** Each decision has a mark with its words, and a line in a table. */
async function marksDecisions(page) {
  await idle(page);
  assert.deepEqual(page.problems, []);
  const rows = page.locator('#tables tbody tr');
  const { count, words, fault } = await page.evaluate(() => {
    const { decisions } = mauve.model;
    return { count: decisions.rows, words: decisions.words[0], fault: decisions.fault.indexOf(1) };
  });
  assert(count > 2 && fault > 0, `${count} decisions, the first fault is ${fault}`);
  assert.equal(await rows.count(), count, 'the table of decisions is not shown first');
  assert((await rows.first().textContent()).includes(words));
  await rows.first().evaluate((row) => row.click());
  await idle(page);
  const colourOf = (row) => page.evaluate((at) => {
    const { x, y, width, height } = mauve.markOf(at);
    const { data } = document.getElementById('lanes').getContext('2d').getImageData(x + width / 2, y + height / 2, 1, 1);
    const { left, top } = document.getElementById('lanes').getBoundingClientRect();
    const colour = '#' + [...data].slice(0, 3).map((v) => v.toString(16).padStart(2, '0')).join('');
    return { colour, x: left + x + width / 2, y: top + y + height / 2 };
  }, row);
  const variable = (name) => page.evaluate((of) => (
    getComputedStyle(document.documentElement).getPropertyValue(of).trim()), name);
  const mark = await colourOf(0);
  assert.equal(mark.colour, await variable('--accent'));
  await page.mouse.move(mark.x, mark.y);
  await idle(page);
  const text = await page.locator('#tooltip').textContent();
  for (const part of [words, 'decision of the schedule', 'then runs']) assert(text.includes(part), `${part}: ${text}`);
  await page.mouse.click(mark.x, mark.y);
  await idle(page);
  assert.equal(await page.locator('#details h2').textContent(), words);
  await rows.nth(fault).evaluate((row) => row.click());
  await idle(page);
  assert.equal((await colourOf(fault)).colour, await variable('--alarm'));
}

/** Half of the frames must be drawn in 100 ms: on an idle machine they take less than 16. */
async function isSmooth(page) {
  const { rows, median, longest } = await page.evaluate(async () => {
    const times = [];
    const step = async (change) => {
      await new Promise(requestAnimationFrame);
      change();
      const begin = performance.now();
      mauve.drawNow();
      times.push(performance.now() - begin);
    };
    const { view } = mauve;
    for (let i = 0; i < 40; i++) await step(() => view.zoom(0.75, view.length * 0.4));
    for (let i = 0; i < 20; i++) await step(() => view.pan(0.2));
    for (let i = 0; i < 40; i++) await step(() => view.zoom(1 / 0.75, view.length * 0.4));
    times.sort((a, b) => a - b);
    return { rows: mauve.model.callbacks.rows, median: times[times.length >> 1], longest: times.at(-1) };
  });
  console.log(`${rows} callbacks: half of the frames take ${median} ms, the longest ${longest} ms`);
  assert(rows >= 1_000_000 && median < 100);
  assert.deepEqual(page.problems, []);
}

main((small, large, decided, bless) => withPage({ width: 1440, height: 900 }, async (page) => {
  if (bless) {
    await open(page, small);
    const parts = await regions(page);
    const lines = Array.from({ length: ROWS }, (_, i) => parts.slice(i * COLUMNS, (i + 1) * COLUMNS));
    fs.writeFileSync(REFERENCE, `[\n${lines.map((line) => JSON.stringify(line).slice(1, -1)).join(',\n')}\n]\n`);
    return;
  }
  let [passed, failed] = [0, 0];
  const others = { 'marks the decisions of a schedule': marksDecisions, 'is smooth with a million callbacks': isSmooth };
  const files = new Map([[isSmooth, large], [marksDecisions, decided]]);
  for (const [name, check] of Object.entries({ ...checks, ...others })) {
    try {
      await open(page, files.get(check) ?? small);
      await check(page, small);
      passed++;
    } catch (error) {
      console.log(`FAILED ${name}: ${error.message}`);
      failed++;
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Error(`${failed} checks of the page failed`);
}));

// Checks the built pages of the guide: node guide.js FOLDER
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { load, main, withPage } = require('./browser.js');

// The width of a telephone.
const NARROW = 390;

/** A page must have a title and a text, show its pictures, and print no errors. */
async function check(page, file) {
  await load(page, file);
  const { title, text, missing } = await page.evaluate(() => ({
    title: document.title,
    text: document.querySelector('main')?.textContent.trim().length ?? 0,
    missing: [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src),
  }));
  assert(title !== '' && text > 40, `${file} is empty`);
  assert.deepEqual([...missing, ...page.problems], [], file);
}

/** The search must work from a file, without a server. */
async function search(page, file) {
  await load(page, file);
  await page.locator('#mdbook-search-toggle').click();
  await page.locator('#mdbook-searchbar').pressSequentially('uv_timer_start');
  const found = await page.locator('#mdbook-searchresults a').first().getAttribute('href');
  assert(found.includes('uv_timer_start'), `the search for a function finds ${found}`);
}

/** On a narrow screen, blocks that are too wide have scroll bars of their own: no page has one. */
async function isNarrow(page, file) {
  await load(page, file);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= NARROW, `${file} has ${width} pixels on a narrow screen`);
}

main((folder) => withPage({ width: 1200, height: 900 }, async (page) => {
  // The table of contents of browsers without scripts is shown in other pages.
  const isPage = (name) => name.endsWith('.html') && name !== 'toc.html';
  const files = fs.readdirSync(folder, { recursive: true }).filter(isPage).map((name) => path.join(folder, name));
  for (const file of files) await check(page, file);
  await search(page, path.join(folder, 'index.html'));
  await page.setViewportSize({ width: NARROW, height: 900 });
  for (const file of files) await isNarrow(page, file);
  console.log(`${files.length} pages are shown without errors, the search finds a function`);
}));

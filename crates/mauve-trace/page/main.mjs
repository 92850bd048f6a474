// Starts the page.

import { App } from './app.mjs';
import { readData } from './data.mjs';
import { $ } from './dom.mjs';
import { listen } from './input.mjs';
import { Model } from './model.mjs';

async function start() {
  const data = await readData($('data'));
  $('data').remove();
  const app = new App(new Model(data));
  listen(app);
  listenToButtons(app);
  app.redraw();
  // For the console of the browser.
  globalThis.mauve = app;
  document.body.classList.add('ready');
}

function listenToButtons(app) {
  $('theme').addEventListener('click', () => app.toggleTheme());
  $('help-button').addEventListener('click', () => $('help').showModal());
  $('help').addEventListener('click', event => {
    const { left, right, top, bottom } = $('help').getBoundingClientRect();
    const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    // Enter on the button is a click without a position.
    if (!isInside && event.target === $('help')) $('help').close();
  });
  $('whole').addEventListener('click', () => app.view.show(0, app.view.length));
  $('grip').addEventListener('pointerdown', event => $('grip').setPointerCapture(event.pointerId));
  $('grip').addEventListener('pointermove', event => {
    if (event.buttons !== 1) return;
    const height = Math.min(innerHeight - 260, Math.max(80, innerHeight - event.clientY));
    document.documentElement.style.setProperty('--panel-height', `${height}px`);
  });
}

start().catch(error => {
  $('problem').hidden = false;
  $('problem').textContent = `This page cannot show the trace: ${error.message}`;
  throw error;
});

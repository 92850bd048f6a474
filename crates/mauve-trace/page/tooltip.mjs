// The box beside the pointer.

import { describe } from './describe.mjs';
import { make } from './dom.mjs';
import { formatDuration } from './format.mjs';

const DISTANCE = 14;

// Shows what is known of `item` near the pointer, or hides the box.
export function showTooltip(element, model, item, pointer) {
  element.hidden = item === null;
  if (!item) return;
  const { title, location, tag, colour, duration, facts } = describe(model, item);
  element.replaceChildren(
    make('div', { class: 'tip-head' }, make('i', { style: { background: colour } }), make('b', null, title), duration === null ? null : make('span', null, formatDuration(duration))),
    make('div', { class: 'tip-tag' }, location ? `${tag} · ${location}` : tag),
    make('dl', null, ...facts.flatMap(([term, text]) => [make('dt', null, term), make('dd', null, text)])),
  );
  const { width, height } = element.getBoundingClientRect();
  const right = pointer.x + DISTANCE + width < innerWidth;
  const below = pointer.y + DISTANCE + height < innerHeight;
  const x = right ? pointer.x + DISTANCE : pointer.x - DISTANCE - width;
  const y = below ? pointer.y + DISTANCE : pointer.y - DISTANCE - height;
  element.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}

// The stacks of callbacks as a flame graph: callbacks at the top, and below each function those that it called.

import { make } from './dom.mjs';
import { formatDuration, formatShare, plural } from './format.mjs';

const ROW_PX = 19;
// Narrower boxes are left out.
const NARROWEST = 0.0015;

// Of the selected callback. Without one that has stacks, of all callbacks in the part of the trace.
export function flameGraph(app, summary) {
  const { model, selected } = app;
  const row = selected?.table === 'callbacks' ? selected.row : -1;
  const isOne = model.samplesOf(row).length > 0;
  const samples = isOne ? model.samplesOf(row) : model.samplesBetween(summary.from, summary.to);
  if (samples.length === 0) return make('p', { class: 'hint' }, 'No callback here ran long enough to have its stack captured.');
  const root = treeOf(model, samples);
  const title = isOne ? model.shortNameOf(model.callbacks, row) : 'all callbacks';
  const boxes = [];
  const deepest = layOut(app, boxes, { node: root, whole: root.time, left: 0, depth: 0, title });
  return make('div', null,
    make('p', { class: 'hint' }, `${plural(samples.length, 'stack')} of ${isOne ? 'the selected callback' : 'all callbacks here; select one for its own'}`),
    make('div', { class: 'flames', style: { height: `${(deepest + 1) * ROW_PX}px` } }, ...boxes));
}

// Nodes with the time of their samples, and the nodes of the functions that they called, by name.
function treeOf({ frames, samples }, rows) {
  const root = { name: -1, time: 0, called: new Map() };
  for (const row of rows) {
    const path = [];
    for (let frame = samples.frame[row]; frame >= 0; frame = frames.caller[frame]) path.push(frames.name[frame]);
    let node = root;
    node.time += samples.covers[row];
    for (const name of path.reverse()) {
      if (!node.called.has(name)) node.called.set(name, { name, time: 0, called: new Map() });
      node = node.called.get(name);
      node.time += samples.covers[row];
    }
  }
  return root;
}

// Adds the boxes of a node and of what it called. Returns how deep they reach.
function layOut(app, boxes, { node, whole, left, depth, title }) {
  const share = node.time / whole;
  if (share < NARROWEST) return depth;
  boxes.push(box(app, node, { share, left, depth, title }));
  let [deepest, begin] = [depth, left];
  for (const called of [...node.called.values()].sort((a, b) => b.time - a.time)) {
    deepest = Math.max(deepest, layOut(app, boxes, { node: called, whole, left: begin, depth: depth + 1 }));
    begin += called.time / whole;
  }
  return deepest;
}

function box({ model }, node, { share, left, depth, title }) {
  const name = model.names[node.name];
  const location = name?.location ?? '';
  const text = title ?? (location ? `${name.short} ${location}` : name.short);
  const full = `${title ?? name.function}${location ? `\n${location}` : ''}\n${formatDuration(node.time)}, ${formatShare(share)}`;
  const style = { left: `${left * 100}%`, width: `${share * 100}%`, top: `${depth * ROW_PX}px` };
  return make('span', { class: `flame ${kindOf(name)}`, style, title: full }, text);
}

// Functions of the program stand out from those of Node and from native code.
function kindOf(name) {
  if (!name) return 'root';
  const { location } = name;
  return location.startsWith('node:') ? 'internal' : location ? 'own' : 'native';
}

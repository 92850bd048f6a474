// The names of the lanes, at the left.

import { $, make } from './dom.mjs';

export function showLabels(layout) {
  const labels = layout.lanes.map(({ lane, y, height, tracks }) => {
    const charts = tracks.filter(track => track.label).map(track =>
      make('small', { class: 'chart-label', style: { top: `${track.y - y}px`, height: `${track.height}px` } }, track.label));
    return make('div', { class: `label ${lane.role}`, style: { top: `${y}px`, height: `${height}px` }, title: `${lane.title}\n${lane.subtitle}` },
      make('b', null, lane.title), make('small', null, lane.subtitle), ...charts);
  });
  $('labels').replaceChildren(...labels);
  $('content').style.height = `${layout.height}px`;
}

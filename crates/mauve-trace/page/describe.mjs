// What is known of a callback, request, wait, phase, iteration, wake-up or decision, as title and facts.

import { formatCount, formatDuration, formatShare, formatTime, formatToken, plural } from './format.mjs';
import { phaseColour, theme } from './theme.mjs';

// Returns `{ title, full, location, tag, colour, duration, facts, links }`. `full` is the whole name, if
// there is one. A fact is a pair of texts. A link is a text and the item that it leads to.
export function describe(model, item) {
  return DESCRIBE[item.table](model, item.row);
}

const DESCRIBE = {
  callbacks: describeCallback,
  requests: describeRequest,
  waits: describeWait,
  phaseSpans: describePhase,
  iterations: describeIteration,
  wakeups: describeWakeup,
  decisions: describeDecision,
};

function at(model, time) {
  return formatTime(time, Math.max(1, model.length / 1e6));
}

function laneTitle(model, lane) {
  return model.lanes[lane]?.title ?? 'unknown thread';
}

function describeCallback(model, row) {
  const { callbacks, requests, wakeups } = model;
  const phase = callbacks.phase[row];
  const facts = [
    ['on', laneTitle(model, callbacks.lane[row])],
    ['began at', at(model, callbacks.begin[row])],
  ];
  if (callbacks.delay[row] >= 0) facts.push(['was ready for', formatDuration(callbacks.delay[row])]);
  facts.push(...handleFacts(model, callbacks.handle[row]));
  if (callbacks.fd[row] >= 0) facts.push(['descriptor', String(callbacks.fd[row])]);
  if (callbacks.running[row]) facts.push(['state', 'was running when the trace ended']);
  const links = [];
  const request = callbacks.request[row];
  if (request >= 0) {
    links.push([`request, ${formatDuration(requests.ran[request])} on the pool`, { table: 'requests', row: request }]);
  }
  const wakeup = wakeups.callback.indexOf(row);
  if (wakeup >= 0) links.push(['wake-up that led to it', { table: 'wakeups', row: wakeup }]);
  return {
    title: model.shortNameOf(callbacks, row),
    full: model.nameOf(callbacks, row),
    location: model.locationOf(callbacks, row),
    tag: phase < 0 ? model.kinds[callbacks.kind[row]] : `${model.kinds[callbacks.kind[row]]} · ${model.phases[phase]} phase`,
    colour: phaseColour(phase),
    duration: callbacks.duration[row],
    facts,
    links,
  };
}

function handleFacts(model, handle) {
  if (handle < 0) return [];
  const { handles } = model;
  const facts = [['handle', `${model.header.handleKinds[handles.kind[handle]]} ${formatToken(handles.tokenHigh[handle], handles.tokenLow[handle])}`]];
  if (handles.opened[handle] >= 0) facts.push(['handle opened at', at(model, handles.opened[handle])]);
  if (handles.closed[handle] >= 0) facts.push(['handle closed at', at(model, handles.closed[handle])]);
  return facts;
}

function describeRequest(model, row) {
  const { requests } = model;
  const isOnPool = requests.worker[row] >= 0;
  const facts = [
    ['submitted by', laneTitle(model, requests.from[row])],
    ['submitted at', at(model, requests.begin[row])],
  ];
  if (isOnPool) {
    facts.push(['queued for', formatDuration(requests.queued[row])]);
    facts.push(['ran on', laneTitle(model, requests.worker[row])]);
  }
  const callback = requests.callback[row];
  if (callback >= 0) facts.push(['callback after', formatDuration(requests.reported[row])]);
  const links = callback < 0 ? [] : [['its callback', { table: 'callbacks', row: callback }]];
  const submitter = model.callbackAt(requests.from[row], requests.begin[row]);
  if (submitter >= 0) links.unshift(['callback that submitted it', { table: 'callbacks', row: submitter }]);
  return {
    title: model.shortNameOf(requests, row),
    full: model.nameOf(requests, row),
    location: model.locationOf(requests, row),
    tag: isOnPool ? 'request on the thread pool' : 'request, not run by the pool',
    colour: theme.pool,
    duration: requests.ran[row],
    facts,
    links,
  };
}

function describeWait(model, row) {
  const { waits } = model;
  const timeout = waits.timeout[row] < 0 ? 'none' : formatDuration(waits.timeout[row]);
  return {
    title: 'Wait for events',
    location: '',
    tag: 'poll phase',
    colour: phaseColour(model.phases.indexOf('poll')),
    duration: waits.duration[row],
    facts: [
      ['on', laneTitle(model, waits.lane[row])],
      ['began at', at(model, waits.begin[row])],
      ['timeout', timeout],
      ['events', formatCount(waits.events[row])],
    ],
    links: [],
  };
}

function describePhase(model, row) {
  const { phaseSpans } = model;
  const phase = phaseSpans.phase[row];
  return {
    title: `${model.phases[phase]} phase`,
    location: '',
    tag: plural(phaseSpans.callbacks[row], 'callback'),
    colour: phaseColour(phase),
    duration: phaseSpans.duration[row],
    facts: [
      ['on', laneTitle(model, phaseSpans.lane[row])],
      ['began at', at(model, phaseSpans.begin[row])],
    ],
    links: [],
  };
}

function describeIteration(model, row) {
  const { iterations } = model;
  const share = iterations.duration[row] > 0 ? iterations.busy[row] / iterations.duration[row] : 0;
  const slowest = model.lanes[iterations.lane[row]].callbacks[0]?.longestRow(iterations.waitEnd[row], iterations.end[row]) ?? -1;
  return {
    title: `Iteration #${iterations.number[row]}`,
    location: '',
    tag: 'iteration',
    colour: theme.muted,
    duration: iterations.duration[row],
    facts: [
      ['on', laneTitle(model, iterations.lane[row])],
      ['began at', at(model, iterations.begin[row])],
      ['busy', `${formatDuration(iterations.busy[row])}, ${formatShare(share)}`],
      ['waited', formatDuration(iterations.waited[row])],
    ],
    links: slowest < 0 ? [] : [[`slowest callback: ${model.nameOf(model.callbacks, slowest)}`, { table: 'callbacks', row: slowest }]],
  };
}

function describeWakeup(model, row) {
  const { wakeups } = model;
  const callback = wakeups.callback[row];
  return {
    title: wakeups.handle[row] < 0 ? 'Wake-up by the pool' : 'Wake-up',
    location: '',
    tag: 'from one thread to a loop',
    colour: theme.wakeup,
    duration: wakeups.delay[row],
    facts: [
      ['sent by', laneTitle(model, wakeups.lane[row])],
      ['sent at', at(model, wakeups.begin[row])],
      ['to', laneTitle(model, wakeups.to[row])],
      ...handleFacts(model, wakeups.handle[row]),
    ],
    links: callback < 0 ? [] : [['callback that it led to', { table: 'callbacks', row: callback }]],
  };
}

function describeDecision(model, row) {
  const { decisions, callbacks } = model;
  const callback = decisions.callback[row];
  const then = callback < 0 ? [] : [['then runs', model.nameOf(callbacks, callback)]];
  return {
    title: decisions.words[row],
    location: '',
    tag: decisions.fault[row] ? 'fault of the schedule' : 'decision of the schedule',
    colour: decisions.fault[row] ? theme.alarm : theme.accent,
    duration: null,
    facts: [['on', laneTitle(model, decisions.lane[row])], ['at', at(model, decisions.begin[row])], ...then],
    links: callback < 0 ? [] : [['callback that follows', { table: 'callbacks', row: callback }]],
  };
}

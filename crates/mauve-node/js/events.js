// Events. (Placeholder until the full module is merged.)
function EventEmitter() { this._events ??= new Map(); }
EventEmitter.prototype.on = EventEmitter.prototype.addListener = function on(n, f) { this._events ??= new Map(); if (this._events.has('newListener')) this.emit('newListener', n, f); if (!this._events.has(n)) this._events.set(n, []); this._events.get(n).push(f); return this; };
EventEmitter.prototype.once = function once(n, f) { const g = (...a) => { this.removeListener(n, g); f.apply(this, a); }; return this.on(n, g); };
EventEmitter.prototype.removeListener = EventEmitter.prototype.off = function off(n, f) { const l = this._events.get(n) ?? []; const i = l.indexOf(f); if (i >= 0) l.splice(i, 1); if (n !== 'removeListener') this.emit('removeListener', n, f); return this; };
EventEmitter.prototype.emit = function emit(n, ...a) { const l = this._events?.get(n); if (!l || !l.length) return false; for (const f of [...l]) f.apply(this, a); return true; };
EventEmitter.prototype.listenerCount = function listenerCount(n) { return this._events?.get(n)?.length ?? 0; };
module.exports = EventEmitter; EventEmitter.EventEmitter = EventEmitter;

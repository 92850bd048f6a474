// Serializes random values with JSON.stringify and with `native`. Returns the first difference.
((native) => {
  const TEXTS = ['', 'a', 'key', 'toString', 'ä', '\u2028', '\ud800', '\udfff x', '😀', 'a"b\\c', '\n\t\b\f\r\u0001\u007f',
    '0', '1', '10', '01', 'length', '__proto__', 'constructor', 'a text of more than eight bytes', ' x'.repeat(20)];
  const NUMBERS = [0, -0, NaN, Infinity, -Infinity, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 123456789012345680000,
    2 ** 53, 2 ** 31, -(2 ** 31) - 1, 0.1 + 0.2, 1e20, 1.5e300, -1e-6];
  const SPACES = [undefined, undefined, undefined, 2, 10, 99, -1, 1.9, NaN, '\t', '--', '0123456789abc', '123456789😀',
    '\ud800', 'ä', Object(3), Object('>>'), true, null, {}];

  let state;
  let log;
  const random = (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % limit;
  };
  const pick = (list) => list[random(list.length)];
  // Logs a call and returns its result.
  const logged = (name, result) => {
    log.push(name);
    return result;
  };
  const handler = {
    get: (target, key, receiver) => logged(`get ${String(key)}`, Reflect.get(target, key, receiver)),
    ownKeys: (target) => logged('keys', Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: (target, key) => 
      logged(`descriptor ${String(key)}`, Reflect.getOwnPropertyDescriptor(target, key)),
  };

  function anyDouble() {
    const [low, high] = [random(2 ** 20) * 4096 + random(4096), random(2 ** 20) * 4096 + random(4096)];
    return new Float64Array(new Uint32Array([low, high]).buffer)[0];
  }

  // Objects that need a special treatment.
  const objects = [
    () => Object('text'), () => Object(5), () => Object(true), () => Object(NaN), () => Object(Symbol('s')),
    () => Object(1n), () => /x/g, () => new Error('e'), () => new Map([[1, 2]]), () => new Uint8Array(3),
    () => Object.create({ inherited: 1 }), () => Object.create(null), () => (function () { return arguments; })(1, 2),
    () => Object.assign(Object('abc'), { extra: 1, toString: () => logged('toString', 'converted') }),
    () => Object.assign(Object(1), { valueOf: () => logged('valueOf', 42) }),
    () => Object.setPrototypeOf(Object(false), null),
    () => new Proxy({ a: 1, b: [2] }, handler), () => new Proxy([1, { x: 2 }, undefined], handler),
    () => new Proxy(() => {}, handler), () => new Date(random(1e9) * 1000), () => JSON.rawJSON('1e3'),
    () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; },
    () => { const loop = { a: [] }; loop.a.push(loop); return loop; },
    () => { let deep = []; for (let i = 0; i < 300; i++) deep = random(2) ? [deep] : { deep }; return deep; },
  ];

  function value(depth) {
    switch (random(depth > 4 ? 11 : 20)) {
      case 0: return null;
      case 1: return undefined;
      case 2: return random(2) === 0;
      case 3: return random(1000) - 500;
      case 4: return (random(1e6) - 5e5) / (random(1000) + 1);
      case 5: return pick(NUMBERS);
      case 6: return anyDouble();
      case 7: return pick(TEXTS);
      case 8: return pick(TEXTS) + pick(TEXTS);
      case 9: return random(4) === 0 ? 10n : Symbol('s');
      case 10: return () => 1;
      case 11: return pick(objects)();
      case 12: return { toJSON(key) { log.push(`toJSON ${typeof key} ${key}`); return value(depth + 1); } };
      case 13: return Object.defineProperties({}, {
        hidden: { value: 1 },
        getter: { get: () => logged('getter', value(depth + 1)), enumerable: true },
      });
      case 14: case 15: case 16: {
        const array = [];
        for (let i = random(5); i > 0; i--) array[array.length + (random(6) === 0 ? 2 : 0)] = value(depth + 1);
        return array;
      }
      default: {
        const object = {};
        for (let i = random(6); i > 0; i--) object[pick(TEXTS) + (random(3) ? '' : i)] = value(depth + 1);
        return object;
      }
    }
  }

  const REPLACERS = [undefined, undefined, undefined, null, 1, {},
    ['a', 'key', 1, Object('0'), Object(10), 'a', {}, undefined],
    new Proxy(['b', 'a'], handler),
    function (key, each) {
      log.push(`replace ${key} ${typeof this} ${Object.keys(this).length}`);
      return typeof each === 'number' && random(3) === 0 ? undefined : each;
    },
    (key, each) => (key === 'key' ? [1, 2] : each),
  ];

  function run(seed, stringify) {
    state = seed;
    log = [];
    let text;
    try {
      text = stringify(value(0), pick(REPLACERS), pick(SPACES));
    } catch (error) {
      // The texts of errors are those of V8 in one of the two.
      text = error.name;
    }
    return `${typeof text} ${text} | ${log.join()}`;
  }

  for (let seed = 1; seed <= 20_000; seed++) {
    const [expected, found] = [run(seed, native), run(seed, JSON.stringify)];
    if (expected !== found) return `seed ${seed}\n${expected}\n${found}`;
  }
  return undefined;
})

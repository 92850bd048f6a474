// inspect.colors and inspect.styles: the SGR codes of terminals, by name, and
// the colour of each kind of value.

// The code that switches a style on, and the one that switches it off.
const MODIFIERS = [
  ['reset', 0, 0],
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['italic', 3, 23],
  ['underline', 4, 24],
  ['blink', 5, 25],
  ['inverse', 7, 27],
  ['hidden', 8, 28],
  ['strikethrough', 9, 29],
  ['doubleunderline', 21, 24],
];
const FRAMES = [
  ['framed', 51, 54],
  ['overlined', 53, 55],
];
const HUES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const BRIGHT_HUES = ['gray', ...HUES.slice(1).map((hue) => `${hue}Bright`)];
const FOREGROUND_OFF = 39;
const BACKGROUND_OFF = 49;

const ALIASES = {
  inverse: ['swapcolors', 'swapColors'],
  dim: ['faint'],
  hidden: ['conceal'],
  strikethrough: ['crossedout', 'crossedOut', 'strikeThrough'],
  doubleunderline: ['doubleUnderline'],
  gray: ['grey', 'blackBright'],
  bgGray: ['bgGrey', 'bgBlackBright'],
};

const STYLES = [
  ['special', 'cyan'],
  ['number', 'yellow'],
  ['bigint', 'yellow'],
  ['boolean', 'yellow'],
  ['undefined', 'grey'],
  ['null', 'bold'],
  ['string', 'green'],
  ['symbol', 'green'],
  ['date', 'magenta'],
  ['regexp', 'red'],
  ['module', 'underline'],
];

const backgroundName = (hue) => `bg${hue[0].toUpperCase()}${hue.slice(1)}`;
const foregrounds = (hues, first) => hues.map((hue, i) => [hue, first + i, FOREGROUND_OFF]);
const backgrounds = (hues, first) => hues.map((hue, i) => [backgroundName(hue), first + i, BACKGROUND_OFF]);

function createColors() {
  const colors = { __proto__: null };
  const codes = [
    ...MODIFIERS,
    ...foregrounds(HUES, 30),
    ...backgrounds(HUES, 40),
    ...FRAMES,
    ...foregrounds(BRIGHT_HUES, 90),
    ...backgrounds(BRIGHT_HUES, 100),
  ];
  for (const [name, on, off] of codes) colors[name] = [on, off];
  for (const [name, aliases] of Object.entries(ALIASES)) {
    const accessor = {
      configurable: true,
      get: () => colors[name],
      set: (pair) => { colors[name] = pair; },
    };
    for (const alias of aliases) Object.defineProperty(colors, alias, accessor);
  }
  return colors;
}

const createStyles = () => Object.assign(Object.create(null), Object.fromEntries(STYLES));

module.exports = { createColors, createStyles };

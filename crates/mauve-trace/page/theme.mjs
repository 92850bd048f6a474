// Colours and fonts for the canvases, from the variables of the style sheet.

const PHASES = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close'];
const OTHERS = ['ink', 'muted', 'faint', 'line', 'ground', 'panel', 'lane', 'pool', 'wakeup', 'alarm', 'accent', 'block-ink', 'none'];

export const theme = { phases: [], none: '', mono: '', sans: '' };

// Reads the variables again, after the theme has changed.
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const value = name => style.getPropertyValue(`--${name}`).trim();
  for (const name of OTHERS) theme[name] = value(name);
  theme.phases = PHASES.map(value);
  theme.mono = value('mono');
  theme.sans = value('sans');
}

// The colour of a phase. Callbacks outside of a phase have none.
export function phaseColour(phase) {
  return theme.phases[phase] ?? theme.none;
}

const system = matchMedia('(prefers-color-scheme: dark)');
let choice = null;

// Applies the theme: what the user chose, or what the system has. `onChange` is called when it changes.
export function followSystem(onChange) {
  applyTheme();
  system.addEventListener('change', () => {
    applyTheme();
    onChange();
  });
}

// Switches between light and dark.
export function toggleTheme() {
  choice = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  applyTheme();
}

function applyTheme() {
  document.documentElement.dataset.theme = choice ?? (system.matches ? 'dark' : 'light');
  readTheme();
}

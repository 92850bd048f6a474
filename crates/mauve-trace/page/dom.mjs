// Elements of the page. All text is set as text: names of a traced program are never parsed as HTML.

export function $(id) {
  return document.getElementById(id);
}

// Makes an element: `make('td', { class: 'number' }, 'text', child)`.
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === 'style') for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

// Fits a canvas to its element, in device pixels. Returns its size in CSS pixels.
export function fitCanvas(canvas) {
  const ratio = devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
  return { width, height, ratio };
}

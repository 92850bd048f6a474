// ora: spinners on streams that are and are not terminals, and the width of text.
import { PassThrough } from 'node:stream';
import ora from 'ora';
import stringWidth from 'string-width';
for (const isTTY of [false, true]) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 40, clearLine() { this.write('<clear>'); }, cursorTo(x) { this.write(`<to ${x}>`); }, moveCursor(x, y) { this.write(`<move ${x} ${y}>`); } });
  const spinner = ora({ text: 'Loading', stream, spinner: 'line', color: false, discardStdin: false, hideCursor: false, isEnabled: isTTY }).start();
  await new Promise((resolve) => setTimeout(resolve, 50));
  spinner.text = 'Still loading';
  spinner.succeed('Loaded 日本');
  ora({ text: 'x', stream, isEnabled: false }).fail('Failed');
  const text = String(stream.read());
  console.log(isTTY, isTTY ? text.includes('Loading') : text, text.endsWith('Failed\n'));
}
console.log(['a', '日本', 'é', '👨‍👩‍👧', '🇩🇪', '\u001b[31mred\u001b[0m', 'e\u0301'].map((text) => stringWidth(text)));

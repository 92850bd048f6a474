// Columns of wide, combining, emoji and control characters.
const texts = ['👨‍👩‍👧', '🇩🇪', '❤️', 'é', 'สวัสดี', 'नमस्ते', '👍🏽', 'a\u200bb', '한국어', 'ﾊﾝｶｸ', '\u1112\u1161\u11ab', '✂️', '☺', '中文字', '\x07', 'ﷺ', '☎︎', '🏴‍☠️', '\u00ad', '…', '①'];
console.table(texts.map((text) => ({ text, n: 1 })));

// The order of strings in a language, and characters as readers see them.
const words = ['b', 'a', 'C', 'ä', 'z', 'A', 'a10', 'a9', 'résumé', 'resume', 'Résumé', 'co-op', 'coop', ''];
const show = (list) => console.log(JSON.stringify(list));
show([...words].sort((a, b) => a.localeCompare(b)));
show([...words].sort((a, b) => a.localeCompare(b, 'sv')));
show([...words].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })));
show([...words].sort(new Intl.Collator('en', { caseFirst: 'upper' }).compare));
show(['base', 'accent', 'case', 'variant'].map((sensitivity) => ['aA', 'aä', 'ab'].map(([a, b]) => a.localeCompare(b, 'en', { sensitivity }))));
show(['co-op'.localeCompare('coop', 'en', { ignorePunctuation: true }), 'a'.localeCompare('a'), '\ud800'.localeCompare('a')]);
show(new Intl.Collator().resolvedOptions());
show(Intl.Collator().compare('x', 'y'));
for (const text of ['hello', '👨‍👩‍👧🇩🇪', 'e\u0301\r\nx', '각', 'नि', '', 'a\ud800b']) {
  show([...new Intl.Segmenter().segment(text)].map(({ segment, index }) => [segment.length, index]));
}
show(new Intl.Segmenter('en').segment('a👍🏽c').containing(2));
show([new Intl.Segmenter().segment('ab').containing(2), new Intl.Segmenter('de').resolvedOptions()]);
show([Intl.getCanonicalLocales(['EN-us', 'de']), Intl.Segmenter.supportedLocalesOf('en')]);
show([Object.prototype.toString.call(Intl), String(new Intl.Collator()), Intl.Segmenter.name, Intl.Collator.length, typeof Intl.PluralRules]);
for (const wrong of [() => 'a'.localeCompare('b', 'x'), () => new Intl.Collator('en', { sensitivity: 'no' }), () => Intl.Segmenter(),
  () => new Intl.Segmenter('en', { granularity: 'letter' }), () => String.prototype.localeCompare.call(null, 'a')]) {
  try { console.log(wrong()); } catch (error) { console.log(error.name); }
}

// Tabs: in a block with the class `tabs`, each paragraph is the title of the code that follows it.
for (const block of document.querySelectorAll('.tabs')) {
  const bar = document.createElement('div');
  bar.className = 'tab-bar';
  const tabs = [];
  for (const title of [...block.querySelectorAll(':scope > p')]) {
    const code = title.nextElementSibling;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title.textContent;
    button.onclick = () => show(tabs.findIndex((tab) => tab.button === button));
    tabs.push({ button, code });
    bar.append(button);
    title.remove();
  }
  const show = (chosen) => {
    tabs.forEach(({ button, code }, at) => {
      button.setAttribute('aria-selected', String(at === chosen));
      code.classList.toggle('hidden-tab', at !== chosen);
    });
  };
  block.prepend(bar);
  show(0);
}

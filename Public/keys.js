// Explains the keys when the reader presses "?": shows the content of the page /keys in a dialog, which opens at once from then
// on. The reader can switch the key off there, because speech input may type it by accident (WCAG 2.2, 2.1.4).
const name = 'rollcall-keys', path = document.querySelector('[data-keys]').dataset.keys.split('#')[1];
const own = document.querySelector('main .switch');
let dialog;

if (own) prepare(own);

addEventListener('keydown', event => {
  if (own || event.key != '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest?.('input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]') || isOff()) return;
  event.preventDefault();
  open();
});

async function open() {
  dialog ||= await load().catch(() => location.assign(path));
  if (dialog && !dialog.open) dialog.showModal();
}

async function load() {
  const response = await fetch(path, { headers: { Accept: 'text/html' } });
  if (!response.ok) throw response;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const content = page.querySelector('.keys'), style = page.querySelector('link[href*="pages"]');
  const dialog = document.createElement('dialog');
  const { href } = style, known = [...document.querySelectorAll('link[rel=stylesheet]')].some(link => link.href == href);
  if (!known) {
    style.href = href;
    document.head.append(style);
    await new Promise(done => style.onload = style.onerror = done);
  }
  prepare(content.querySelector('.switch'));
  dialog.className = 'sheet';
  dialog.setAttribute('aria-labelledby', 'keys-title');
  dialog.append(content);
  // A click beside the dialog closes it.
  dialog.onclick = event => {
    if (event.target == dialog) dialog.close();
  };
  document.body.append(dialog);
  return dialog;
}

function prepare(label) {
  const box = label.querySelector('input');
  label.hidden = false;
  box.checked = !isOff();
  box.onchange = () => localStorage.setItem(name, box.checked ? 'on' : 'off');
}

function isOff() {
  try {
    return localStorage.getItem(name) == 'off';
  } catch {
    return false;
  }
}

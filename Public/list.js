// Prepares the list and brings the reader back to the person who was in view. Loads the other scripts after the page, or
// at the first touch. Documentation/Script.md explains how they work together.
(() => {
  const users = document.getElementById('users'), sentinel = users?.sentinel;
  if (!sentinel) return;
  const { place, find, views, keys, pictures } = document.currentScript.dataset, { live } = users.dataset, { classList } = document.documentElement;

  // With data saving, place.js loads pictures on a click.
  if (!navigator.connection?.saveData) classList.add('pictures');
  // An address with a theme decides. Storage may be forbidden.
  try {
    const chosen = document.querySelector(`[name=theme][value="${localStorage.theme}"]`);
    if (chosen && document.querySelector('[name=theme]').checked) chosen.defaultChecked = true;
  } catch {}

  history.scrollRestoration = 'manual';
  sentinel.opened = location.href;
  // WebKit runs deferred scripts before the style sheet is loaded, when users have no positions yet.
  const style = document.querySelector('[rel=stylesheet]');
  if (style && !style.sheet) style.onload = style.onerror = restore;
  else restore();

  const starts = [[window, 'load'], ...['pointerdown', 'focusin', 'keydown', 'wheel', 'scroll'].map(name => [document, name])];
  for (const [target, name] of starts) target.addEventListener(name, start, { passive: true });

  function restore() {
    const { style } = document.documentElement;
    // Firefox would anchor the view to a row that moves when its content, which was out of view, is laid out.
    style.overflowAnchor = 'none';
    if (history.state) scrollBy(0, users.firstElementChild.getBoundingClientRect().top - history.state.top);
    requestAnimationFrame(() => requestAnimationFrame(() => style.overflowAnchor = ''));
  }

  async function start() {
    // The sheet of the other views. A page in one of them has it.
    if (views && !document.querySelector(`[href="${views}"]`)) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: views }));
    for (const [target, name] of starts) target.removeEventListener(name, start);
    for (const script of [place, find, live, keys, pictures]) if (script) await import(script).catch(() => {});
  }
})();

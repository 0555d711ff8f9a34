// Prepares every page: pictures, theme and menus; and in the list, brings the reader back to the person who was in view. Loads
// the other scripts after the page, or at the first touch. The server joins sentinel.js and this script to start.js.
// Documentation/Script.md explains how they work together.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), sentinel = users?.sentinel, page = document.documentElement, starts = new AbortController();
  const { place, find } = document.currentScript.dataset, themes = [...document.querySelectorAll('[name=theme]')];
  let told;

  // With data saving, place.js loads pictures on a click.
  if (!navigator.connection?.saveData) page.classList.add('pictures');

  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => later(target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) later(picture);

  // In the list, an address with a theme decides, or what the reader has chosen already. Storage may be forbidden.
  try {
    const known = themes.find(radio => radio.value == localStorage.theme);
    if (known && (!sentinel || themes[0].checked)) showTheme(known.value);
  } catch {}
  addEventListener('change', keepTheme, true);

  addEventListener('keydown', ({ key }) => {
    const open = key == 'Escape' && document.querySelector(':is(.menu, .filters)[open]');
    if (!open) return;
    open.open = false;
    open.firstElementChild.focus();
  });
  for (const name of ['load', 'pointerdown', 'focusin', 'keydown', 'wheel', 'scroll']) addEventListener(name, start, { passive: true, signal: starts.signal });

  if (sentinel) {
    sentinel.showTheme = showTheme;
    sentinel.opened = location.href;
    history.scrollRestoration = 'manual';
    // WebKit runs deferred scripts before the style sheet is loaded, when users have no positions yet.
    const style = document.querySelector('[rel=stylesheet]');
    if (style && !style.sheet) style.onload = style.onerror = restore;
    else restore();
  }

  // In a frame: reports the height of the content, not of the frame, to the page around it, at first and after each change.
  if (users && !get('find')) {
    // After the list, the text for screen readers would add a pixel to scroll.
    get('status').style.top = 0;
    new ResizeObserver(() => {
      const height = Math.ceil(page.getBoundingClientRect().height);
      if (height != told) parent.postMessage({ type: 'rollcall:height', height: told = height }, '*');
    }).observe(page);
  }

  async function start() {
    starts.abort();
    // The style of paper is also that of the other views, and of what the other scripts show.
    if (sentinel) for (const style of document.querySelectorAll('[media=print]')) style.media = '';
    for (const script of [place, find, users?.dataset.live]) if (script) await import(script).catch(() => {});
  }

  function restore() {
    const { style } = page;
    // Firefox would anchor the view to a row that moves when its content, which was out of view, is laid out.
    style.overflowAnchor = 'none';
    if (history.state) scrollBy(0, users.firstElementChild.getBoundingClientRect().top - history.state.top);
    requestAnimationFrame(() => requestAnimationFrame(() => style.overflowAnchor = ''));
  }

  // Tries a picture three times again, after pauses that grow.
  function later(picture) {
    if (!picture.matches?.('.avatar img')) return;
    const pause = [2000, 8000, 32000][picture.tries = picture.tries + 1 || 0];
    if (pause) setTimeout(() => picture.src = picture.src, pause * (1 + Math.random() / 2));
  }

  function showTheme(theme) {
    for (const radio of document.querySelectorAll('[name=theme]')) radio.defaultChecked = radio.checked = radio.value == theme;
  }

  // Without a script, the theme is in the address.
  function keepTheme({ target: { name, value } }) {
    if (name != 'theme') return;
    showTheme(value);
    try {
      localStorage.theme = value;
    } catch {}
    const url = new URL(location);
    if (!url.searchParams.has('theme')) return;
    url.searchParams.delete('theme');
    history.replaceState(history.state, '', url);
  }
})();

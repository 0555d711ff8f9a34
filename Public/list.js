// Prepares every page: pictures, theme and menus; and in the list, brings the reader back to the person who was in view. Loads
// the other scripts when they are needed. The server joins sentinel.js and this script to start.js, and this one and person.js
// to person.js. Documentation/Script.md explains how they work together.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), sentinel = users?.sentinel, page = document.documentElement, waits = new AbortController();
  const missed = [], themes = [...document.querySelectorAll('#find [name=theme]')];
  let { rest, find, views } = document.currentScript.dataset, told, resting, finding;

  // With data saving, place.js loads pictures on a click.
  if (!navigator.connection?.saveData) page.classList.add('pictures');

  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => later(target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) later(picture);

  // In the list, an address with a theme decides, or what the reader has chosen already. Storage may be forbidden.
  try {
    const known = themes.find(radio => radio.value == localStorage.theme);
    if (known && (!sentinel || themes[0].checked)) for (const radio of themes) radio.defaultChecked = radio.checked = radio == known;
  } catch {}
  for (const name of ['load', 'pointermove', 'beforeprint', 'pointerdown', 'pointerup', 'focusin', 'keydown', 'change', 'wheel', 'scroll', 'popstate', 'sentinel:error']) addEventListener(name, need, { passive: true, signal: waits.signal });

  if (sentinel) {
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

  // The bytes of a page that is only looked at are limited. The first movement brings the style of other views, of paper and of
  // what scripts show; the first touch also brings find.js, which then gets what it has missed.
  function need(event) {
    const { type } = event;
    resting ||= rest && import(rest).catch(() => {});
    if (type == 'load') return;
    if (views) Object.assign(document.head.appendChild(document.createElement('link')), { rel: 'stylesheet', href: views });
    views = '';
    if (/move|print/.test(type)) return;
    if (/down|up|change|error/.test(type)) missed.push(event);
    finding ||= start();
  }

  async function start() {
    await resting;
    await import(find).catch(() => {});
    waits.abort();
    for (const event of missed) again(event);
  }

  // In WebKit, the menu of orders would obey such a key, too.
  function again(event) {
    const { type, target } = event;
    if (type != 'keydown' || target.tagName != 'SELECT') target.dispatchEvent(new event.constructor(type, event));
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
})();

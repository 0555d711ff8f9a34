// Prepares every page, and in the list brings the reader back to the person who was in view. Loads the other scripts
// when they are needed. The server joins sentinel.js and this script to start.js, and this one and person.js to
// person.js. Documentation/Development/Script.md explains how they work together.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), form = get('find');
  const sentinel = users?.sentinel, page = document.documentElement, waits = new AbortController();
  const missed = [];
  let { rest, find, views } = document.currentScript.dataset, resting, finding;

  // With data saving, place.js loads pictures on a click.
  if (!navigator.connection?.saveData) page.classList.add('pictures');

  for (const name of ['load', 'pointermove', 'beforeprint', 'pointerdown', 'pointerup', 'focusin', 'keydown', 'change', 'wheel', 'scroll', 'popstate', 'sentinel:error']) addEventListener(name, need, { passive: true, signal: waits.signal });

  if (sentinel) {
    sentinel.opened = location.href;
    // Facts and figures lie above the link that covers a row, so that their text can be selected.
    users.addEventListener('click', event => {
      const { target } = event;
      if (target.closest('.user > p') && getSelection().isCollapsed) again(event, target.closest('.user').querySelector('a'));
    });
    // The reader may have typed or chosen something before this script came.
    if (form && (form.matches(':focus-within') || form.q.value != form.q.defaultValue || form.querySelector('.filters :checked:not([checked])'))) need({});
    history.scrollRestoration = 'manual';
    // WebKit runs deferred scripts before the style sheet is loaded, when users have no positions yet.
    const style = document.querySelector('[rel=stylesheet]');
    if (style && !style.sheet) style.onload = style.onerror = restore;
    else restore();
  }

  // The bytes of a page that is only looked at are limited. The first movement brings the style of other views, of paper and of
  // what scripts show; the first touch also brings find.js, which then gets what it has missed.
  function need(event) {
    const { type } = event;
    resting ||= rest && bring(rest);
    if (type == 'load') return;
    if (views) Object.assign(document.head.appendChild(document.createElement('link')), { rel: 'stylesheet', href: views });
    views = '';
    if (/move|print/.test(type)) return;
    if (/down|up|change|error/.test(type)) missed.push(event);
    finding ||= start();
  }

  async function start() {
    await resting;
    await bring(find);
    waits.abort();
    for (const event of missed) again(event);
  }

  // Loads a script. If it does not come, says why, and asks again after pauses that grow, when the network is back, or when the
  // reader presses the button. A browser may keep a failure, so later requests have another address.
  async function bring(url, tries = 0) {
    try {
      return await import(tries ? url + '?' + tries : url);
    } catch {}
    const response = await fetch(url).catch(() => {}), error = get('error');
    // At last, the script itself is at fault.
    if (!error || response?.ok && tries > 2) return;
    if (sentinel.reason) error.firstChild.data = sentinel.reason(response);
    users.after(error);
    error.hidden = false;
    await new Promise(done => {
      error.lastElementChild.onclick = done;
      addEventListener('online', done);
      setTimeout(done, 1000 << Math.min(tries, 5));
    });
    error.hidden = true;
    get('more').append(error);
    return bring(url, tries + 1);
  }

  // In WebKit, the menu of orders would obey such a key, too.
  function again(event, target = event.target) {
    const { type } = event;
    if (type != 'keydown' || target.tagName != 'SELECT') target.dispatchEvent(new event.constructor(type, event));
  }

  function restore() {
    const { style } = page;
    // Firefox would anchor the view to a row that moves when its content, which was out of view, is laid out.
    style.overflowAnchor = 'none';
    if (history.state) scrollBy(0, users.firstElementChild.getBoundingClientRect().top - history.state.top);
    else users.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    requestAnimationFrame(() => requestAnimationFrame(() => style.overflowAnchor = ''));
  }
})();

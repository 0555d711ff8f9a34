// Shows the matches of the form while the reader types or chooses, and follows links to other parts of the list in place.
// Also explains errors, and handles menus, the theme, the jump bar and the keys of the feed. list.js loads this script after place.js, when
// the reader touches the page first; on other pages, it only handles menus and the theme, and explains the keys. Documentation/Development/Script.md explains how it works.
(() => {
  const get = (id, page = document) => page.getElementById(id), first = selector => document.querySelector(selector);
  const users = get('users'), form = get('find'), sentinel = users?.sentinel, more = get('more'), error = get('error');
  const ownSwitch = first('main .switch');
  let keys;
  if (ownSwitch) prepareSwitch(ownSwitch);
  else addEventListener('keydown', explainKeys);
  addEventListener('keydown', closeMenu);
  addEventListener('change', keepTheme, true);
  readTheme();
  if (!sentinel?.begin) return;
  const { digits, word } = sentinel;
  sentinel.find = null;
  users.addEventListener('keydown', move);
  users.addEventListener('sentinel:error', explain);
  if (!form) return;

  const list = users.parentNode;
  const own = 'head :is([rel=canonical], [rel=prev], [rel=next])';
  // Parts that another list may have, or not, and the elements that they come after.
  const parts = { '#go': '#find', '.intro': '', '.lift': '#more', '.jump': '#status', footer: '' };
  const inPlace = '.chip, .jump a, .lift a, .empty a:not([target])';
  // `waiting` repeats a load that has not succeeded. `typed`: typing made the current history entry.
  let shown = sentinel.opened, waiting, typed, timer, frame, sliding, touched, goesDown, unprinted;

  form.addEventListener('submit', event => {
    event.preventDefault();
    for (const details of document.querySelectorAll('.filters[open]')) details.open = false;
    find();
  });
  form.addEventListener('change', ({ target }) => {
    typed = false;
    // keepTheme has taken it out of the address.
    if (target.name == 'theme') shown = location.href;
    else if (target.matches('.range input')) find();
  });
  for (const name of ['input', 'compositionend']) form.addEventListener(name, ({ target, isComposing }) => {
    if (target.matches('.values')) return void offer(target);
    if (!target.matches('[name=theme], [name=at], [type=range], .range input')) act(target.name, isComposing);
  });
  addEventListener('beforeprint', count);
  form.addEventListener('keydown', goDown);
  form.addEventListener('click', ({ target }) => {
    if (target.matches('.print')) import('./print.js').then(({ printAll }) => printAll(target), () => print());
  });
  error.addEventListener('click', again);
  for (const name of ['online', 'pageshow', 'visibilitychange']) addEventListener(name, again);
  document.addEventListener('toggle', prepare, true);
  addEventListener('popstate', follow);
  addEventListener('click', goInPlace);
  addEventListener('submit', event => {
    if (event.target.id != 'go') return;
    event.preventDefault();
    const url = address(event.target);
    load(url, () => url);
  });
  for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) addEventListener(name, slide);
  // Ten times a second: reading positions costs a layout.
  const relocate = () => frame ||= setTimeout(locate, 100);
  addEventListener('scroll', relocate, { passive: true });
  users.addEventListener('sentinel:append', relocate);
  // The reader may have gone back before this script was loaded.
  follow();
  catchUp();
  sentinel.find = find;

  // Exceptions have a name. A request that is itself wrong gets a fragment or a page that says why.
  function explain({ detail: { error: { name, isWrong, page, response } } }) {
    const message = isWrong && (page && page.querySelector('[role=alert], h1 + p')?.firstChild?.data || word('refused', 'The server refused this request.'));
    error.firstChild.data = message || sentinel.reason(name ? null : response || {});
    // The button replaces the link.
    if (error.parentNode.matches(':focus, :has(> a:focus)')) error.lastElementChild.focus({ preventScroll: true });
  }

  function move(event) {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event, all = sentinel.standing(), index = all.indexOf(event.target.closest('.user'));
    if (altKey || metaKey || shiftKey) return;
    const to = ctrlKey ? { Home: outside(2).at(-1), End: outside(4)[0] }[key] : { PageDown: all[index + 1], PageUp: all[index - 1] }[key];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  // From the field, Arrow Down goes to the first person, whom a search may have to find first.
  function goDown(event) {
    const { key, target, isComposing, altKey, ctrlKey, metaKey } = event;
    if (key != 'ArrowDown' || target.name != 'q' || isComposing || altKey || ctrlKey || metaKey) return;
    event.preventDefault();
    goesDown = true;
    if (timer) find(true);
    else if (users.dataset.state != 'loading') arrive();
  }

  function arrive() {
    if (goesDown) sentinel.standing()[0]?.focus();
    goesDown = false;
  }

  // On paper, all loaded people are shown: says how many, or which.
  function count() {
    const label = first('.count b'), whole = document.querySelectorAll('.whole .user'), all = whole.length ? [...whole] : sentinel.standing();
    const { total } = users.dataset, isPlace = first('.place') && all[0]?.ariaPosInSet;
    unprinted ??= label.textContent;
    if (isPlace) label.textContent = [all[0], all.at(-1)].map(user => digits(user.ariaPosInSet)).join('–');
    else if (all.length < total) label.textContent = word('of', '{at} of {total}', { at: all.length, total });
    addEventListener('afterprint', () => {
      label.textContent = unprinted ?? label.textContent;
      unprinted = null;
    }, { once: true });
  }

  // Returns the controls before (2) or after (4) the list. The jump bar and the link to the top are beside it.
  function outside(side) {
    return [...document.querySelectorAll('a[href], button, input, select, summary')].filter(item =>
      item.checkVisibility() && users.compareDocumentPosition(item) == side && !more.contains(item) && !item.closest('.jump, .lift'));
  }

  // Does what the reader typed and chose before this script came: that in which the form differs from what the server sent.
  function catchUp() {
    const fields = [...form.querySelectorAll('input:not([form]), select')], sent = document.createElement('form');
    sent.append(...fields.map(field => field.cloneNode(true)));
    sent.reset();
    const isChanged = ({ value, checked }, index) => value != sent[index].value || checked != sent[index].checked;
    const names = new Set(fields.filter(isChanged).map(({ name }) => name));
    names.delete('theme');
    if (names.size) act(names.size == 1 && [...names][0]);
  }

  // Shows the list again after a change of the field `name`. It waits for the end of a word.
  function act(name, isComposing) {
    clearTimeout(timer);
    timer = goesDown = 0;
    if (name != 'q') timer = setTimeout(name == 'view' ? turn : find);
    else if (!isComposing && sentinel.limit) timer = setTimeout(find, 200, true);
  }

  // Returns where a form leads. As in browsers, its fields take the place of the query in its action.
  function address(form, fields = new FormData(form)) {
    const url = new URL(form.getAttribute('action'), location);
    url.search = new URLSearchParams(fields);
    return url.href;
  }

  function find(isTyping) {
    const data = new FormData(form);
    data.delete('theme');
    const theme = new URLSearchParams(location.search).get('theme');
    if (theme) data.set('theme', theme);
    const url = address(form, data);
    load(url, firstPage(url), isTyping);
  }

  function firstPage(url) {
    return response => /<([^>]*)>; rel="?first/.exec(response.headers.get('Link'))?.[1] || url;
  }

  function follow() {
    if (sentinel.address(location) != sentinel.address(shown)) load(location.href);
  }

  function goInPlace(event) {
    const link = event.target.closest(inPlace);
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    form.elements.q.value = new URL(link.href).searchParams.get('q') || '';
    load(link.href, () => link.href);
  }

  // Shows the same users in the other view, from the first user in the window on.
  function turn() {
    sentinel.keepPlace();
    const url = new URL(location), { value } = form.elements.view;
    url.searchParams.delete('view');
    if (value) url.searchParams.set('view', value);
    load(url.href, () => url.href);
  }

  function again() {
    if (users.dataset.state != 'loading') waiting?.();
  }

  // `name` returns the URL of the response; without it, the URL is in the address bar already.
  function load(url, name, isTyping) {
    clearTimeout(timer);
    timer = 0;
    waiting = () => load(url, name, isTyping);
    sentinel.stop();
    sentinel.load(url, (page, response) => {
      const fresh = get('users', page), people = [...fresh.querySelectorAll('.user')];
      if (name) enter(name(response), isTyping);
      shown = location.href;
      waiting = null;
      typed = isTyping;
      put(page, fresh);
      adapt(get('find', page), !name);
      sentinel.begin(true);
      get('status').textContent = document.title;
      first('.user[aria-current]')?.scrollIntoView({ block: 'center' });
      arrive();
      return people;
    }, list, page => [page]);
  }

  // All that is typed makes one history entry, so Back leaves the search in one step.
  function enter(url, isTyping) {
    const isNew = new URL(url, location) != location.href && !(isTyping && typed);
    history[isNew ? 'pushState' : 'replaceState'](null, '', url);
  }

  // The publisher's own style sheet stays the last one.
  function addToHead(item) {
    document.head.insertBefore(item, document.querySelector('link[href*="/custom."]'));
  }

  function put(page, fresh) {
    document.title = page.title;
    document.body.className = page.body.className;
    for (const item of document.querySelectorAll(own)) item.remove();
    for (const item of page.querySelectorAll(own)) addToHead(item);
    more.querySelector('.next, .end').replaceWith(page.querySelector('.next, .end'));
    for (const part in parts) {
      const now = first(part), next = page.querySelector(part), before = parts[part] && first(parts[part]);
      if (now && next) now.replaceWith(next);
      else if (next) before ? before.after(next) : list.prepend(next);
      else now?.remove();
    }
    list.querySelector('.earlier')?.remove();
    users.before(...page.querySelectorAll('.earlier'));
    for (const { name } of [...users.attributes]) users.removeAttribute(name);
    for (const { name, value } of fresh.attributes) users.setAttribute(name, value);
    users.replaceChildren(...fresh.childNodes);
  }

  // Keeps the field in use, and filters with the same text. Another directory has other filters. What fields would be after a
  // reset is always the list that is shown: WebKit resets the form of a page that it kept, because of autocomplete="off".
  function adapt(fresh, isBack) {
    const { name, value, type } = document.activeElement, isBox = /checkbox|radio/.test(type);
    const wasChip = document.activeElement.matches('.chip');
    const named = details => details.parentNode.firstElementChild.textContent;
    const inner = '.filters details', open = [...form.querySelectorAll(inner + '[open]')].map(named);
    for (const details of fresh.querySelectorAll(inner)) details.open = open.includes(named(details));
    const now = form.querySelector('.filters'), next = fresh.querySelector('.filters');
    const theme = form.elements.theme.value;
    if (isBack || !now != !next || form.elements.directory?.value != fresh.elements.directory?.value) {
      if (now?.open && next) next.open = true;
      form.replaceChildren(...fresh.children);
    } else {
      form.querySelector('.line').replaceWith(fresh.querySelector('.line'));
      form.querySelector('.brand').replaceWith(fresh.querySelector('.brand'));
      if (now) adaptFilters(now, next);
      form.elements.q.defaultValue = fresh.elements.q.value;
    }
    showTheme(theme);
    const used = name && [...form.elements].find(item => item.name == name && (!isBox || item.value == value)) || wasChip && form.elements.sort;
    if (used) used.focus({ preventScroll: true });
    prepare();
    // On a small screen, the title stays out of view while the reader types.
    scrollTo(0, isBack ? 0 : Math.min(scrollY, -parseFloat(getComputedStyle(first('.bar')).top)));
  }

  function adaptFilters(now, next) {
    now.firstElementChild.replaceWith(next.firstElementChild);
    const [old, fresh] = [now.lastElementChild, next.lastElementChild], groups = [...fresh.children];
    if (old.children.length != groups.length) return old.replaceChildren(...groups);
    [...old.children].forEach((group, index) => group.textContent == groups[index].textContent ? choose(group, groups[index]) : group.replaceWith(groups[index]));
  }

  // A chip or Back may have changed what is chosen.
  function choose(group, fresh) {
    for (const { name, type, value, checked } of fresh.querySelectorAll('input')) {
      const isBox = type == 'checkbox', same = [...group.querySelectorAll('input')].find(item => item.name == name && (!isBox || item.value == value));
      if (isBox && same) same.defaultChecked = same.checked = checked;
      else if (same) {
        same.defaultValue = value;
        if (same != document.activeElement) same.value = value;
      }
    }
  }

  // In an open filter, a field that finds values takes the place of the link to all of them. A slider finds a place.
  function prepare() {
    for (const link of form.querySelectorAll('.filters details[open] > a')) {
      const field = document.createElement('input'), label = document.createElement('label');
      Object.assign(field, { type: 'search', className: 'values', placeholder: word('findAll', 'Find'), maxLength: 256, autocomplete: 'off' });
      field.ariaLabel = `${word('findAll', 'Find')}: ${link.closest('fieldset').firstElementChild.textContent}`;
      field.dataset.url = link.href;
      label.append(field);
      link.replaceWith(label, document.createElement('div'));
    }
    const at = form.querySelector('.place[open] #at');
    if (!at || at.parentNode.querySelector('[type=range]')) return;
    const slider = document.createElement('input');
    Object.assign(slider, { type: 'range', min: 1, max: at.max, value: at.value || place() || 1, ariaLabel: word('position', 'Position') });
    slider.addEventListener('input', () => at.value = slider.value);
    at.parentNode.append(slider);
  }

  // Shows the values that contain the text, as far as the form does not have them already.
  async function offer(field) {
    const url = new URL(field.dataset.url), found = field.parentNode.nextElementSibling, text = field.value.trim();
    url.pathname += '.json';
    url.searchParams.set('find', text);
    const response = text && await fetch(url).catch(() => {}), values = response?.ok ? (await response.json()).values : [];
    if (field.value.trim() != text) return;
    const { name } = field.closest('fieldset').querySelector('[type=checkbox]');
    const known = [...form.elements].filter(item => item.name == name && !found.contains(item)).map(item => item.value);
    found.replaceChildren(...values.filter(({ value }) => !known.includes(value)).map(({ value, label, count }) => {
      const choice = document.createElement('label'), box = document.createElement('input'), people = document.createElement('span');
      Object.assign(box, { type: 'checkbox', name, value });
      if (count === 0) choice.className = 'none';
      people.textContent = count == null ? '' : digits(count);
      choice.append(box, ` ${label} `, people);
      return choice;
    }));
    if (text && !found.firstChild) found.textContent = values.length ? word('above', 'Listed above') : word('none', 'No such value');
  }

  // Returns the position of the first user in view.
  function place() {
    return +inView()[0]?.ariaPosInSet;
  }

  // Returns the first and the last user in view.
  function inView() {
    const all = sentinel.standing().filter(user => user.matches('.user'));
    const after = isPast => {
      let [low, high] = [0, all.length];
      while (low < high) {
        const middle = low + high >> 1;
        if (isPast(all[middle].getBoundingClientRect())) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    const top = sentinel.edge();
    return [all[after(({ bottom }) => bottom > top + 1)], all[after(({ top }) => top >= innerHeight) - 1]];
  }

  // Marks the place of the first user in view on the jump bar, and says which users are in view.
  function locate() {
    frame = 0;
    const positions = inView().map(user => +user?.ariaPosInSet), [start, end] = positions;
    // People who are not loaded yet may be in view.
    if (!(start <= end) || sliding) return;
    const range = first('.place b'), jump = first('.jump');
    if (range) range.textContent = positions.map(n => digits(n)).join('–');
    if (!jump) return;
    const places = jump.dataset.places.split(' ').map(Number), links = [...jump.children];
    mark(jump, links.findLast((link, index) => link.href && places[index] <= start));
  }

  function mark(jump, stop) {
    const now = jump.querySelector('[aria-current]');
    if (now == stop) return;
    now?.removeAttribute('aria-current');
    if (!stop) return;
    stop.setAttribute('aria-current', 'true');
    jump.scrollTop = stop.offsetTop - jump.clientHeight / 2;
  }

  // A finger that slides along the jump bar goes to the letter on which it is lifted.
  function slide(event) {
    const { type, pointerType, clientY } = event, jump = event.target.closest?.('.jump');
    if (type == 'pointerdown' && jump && pointerType != 'mouse') [sliding, touched] = [jump, event.target];
    if (!sliding) return;
    const links = [...sliding.querySelectorAll('a')].filter(link => link.checkVisibility());
    const distance = link => {
      const { top, bottom } = link.getBoundingClientRect();
      return Math.abs((top + bottom) / 2 - clientY);
    };
    const stop = links.reduce((best, link) => distance(link) < distance(best) ? link : best);
    mark(sliding, stop);
    if (type == 'pointerup' || type == 'pointercancel') sliding = null;
    // A touch without a movement is a click anyway.
    if (type == 'pointerup' && stop != touched) stop.click();
  }

  function closeMenu({ key }) {
    const open = key == 'Escape' && first(':is(.menu, .filters)[open]');
    if (!open) return;
    open.open = false;
    open.firstElementChild.focus();
  }

  // In the list, an address with a theme decides, or what the reader has chosen already. Storage may be forbidden.
  function readTheme() {
    const shown = first('#find [name=theme]:checked')?.value, isOfAddress = sentinel && shown;
    try {
      if (localStorage.theme != null && !isOfAddress) showTheme(localStorage.theme);
    } catch {}
    // Until now, the line in the head of the page showed the theme.
    document.documentElement.classList.remove('light', 'dark');
  }

  function showTheme(theme) {
    for (const radio of document.querySelectorAll('#find [name=theme]')) radio.defaultChecked = radio.checked = radio.value == theme;
  }

  // Without a script, the theme is in the address.
  function keepTheme({ target: { name, value, form } }) {
    if (name != 'theme' || form.id != 'find') return;
    showTheme(value);
    try {
      localStorage.theme = value;
    } catch {}
    const url = new URL(location);
    if (!url.searchParams.has('theme')) return;
    url.searchParams.delete('theme');
    history.replaceState(history.state, '', url);
  }

  // Shows the content of the page /keys in a dialog when the reader presses "?". The reader can switch the key off there, because
  // speech input may type it by accident (WCAG 2.2, 2.1.4).
  async function explainKeys(event) {
    if (event.key != '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.('input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]') || isOff()) return;
    event.preventDefault();
    const path = first('[data-keys]').dataset.keys;
    keys ||= loadKeys(path).catch(() => location.assign(path));
    const dialog = await keys;
    if (dialog && !dialog.open) dialog.showModal();
  }

  async function loadKeys(path) {
    const response = await fetch(path, { headers: { Accept: 'text/html' } });
    if (!response.ok) throw response;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const content = page.querySelector('.keys'), style = page.querySelector('link[href*="pages"]');
    const dialog = document.createElement('dialog');
    const { href } = style, known = [...document.querySelectorAll('link[rel=stylesheet]')].some(link => link.href == href);
    if (!known) {
      style.href = href;
      addToHead(style);
      await new Promise(done => style.onload = style.onerror = done);
    }
    prepareSwitch(content.querySelector('.switch'));
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

  function prepareSwitch(label) {
    const box = label.querySelector('input');
    label.hidden = false;
    box.checked = !isOff();
    box.onchange = () => localStorage.setItem('rollcall-keys', box.checked ? 'on' : 'off');
  }

  function isOff() {
    try {
      return localStorage.getItem('rollcall-keys') == 'off';
    } catch {
      return false;
    }
  }
})();

// Shows the matches of the form while the reader types or chooses. Also explains errors and handles the keys of the feed.
// list.js loads this script after the page has loaded. Documentation/Script.md explains how it works.
(() => {
  const get = (id, page = document) => page.getElementById(id);
  const users = get('users'), form = get('find'), sentinel = users?.sentinel, more = get('more'), error = get('error');
  if (!sentinel?.begin) return;
  users.addEventListener('keydown', move);
  users.addEventListener('sentinel:error', explain);
  if (!form) return;

  const list = users.parentNode;
  const own = 'head :is([rel=canonical], [rel=prev], [rel=next])';
  // `waiting` repeats a load that has not succeeded. `typed`: typing made the current history entry.
  let shown = sentinel.opened, waiting, typed, timer;

  form.addEventListener('submit', event => {
    event.preventDefault();
    find();
  });
  form.addEventListener('change', () => typed = false);
  for (const name of ['input', 'compositionend']) form.addEventListener(name, ({ target, isComposing }) => {
    if (target.matches('.values')) return void offer(target);
    clearTimeout(timer);
    if (target.name != 'q') timer = setTimeout(target.name == 'view' ? turn : find);
    else if (!isComposing && sentinel.limit) timer = setTimeout(find, 200, true);
  });
  error.addEventListener('click', again);
  for (const name of ['online', 'pageshow', 'visibilitychange']) addEventListener(name, again);
  form.addEventListener('toggle', prepare, true);
  addEventListener('popstate', follow);
  // The reader may have gone back before this script was loaded.
  follow();
  sentinel.find = find;

  // Exceptions have a name. A request that is itself wrong gets a fragment or a page that says why.
  function explain({ detail: { error: { name, isWrong, page, response } } }) {
    const message = isWrong && (page && page.querySelector('[role=alert], h1 + p')?.firstChild?.data || 'The server refused this request.');
    error.firstChild.data = message || (!name ? /429|503/.test(response?.status) ? 'The server is busy. ' : 'The server has a problem. '
      : navigator.onLine ? 'The server cannot be reached. ' : 'You are offline. ');
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

  // Returns the controls before (2) or after (4) the list.
  function outside(side) {
    return [...document.querySelectorAll('a[href], button, input, select')].filter(item =>
      item.getClientRects().length && users.compareDocumentPosition(item) == side && !more.contains(item));
  }

  function find(isTyping) {
    const url = form.action + '?' + new URLSearchParams(new FormData(form));
    const first = response => /<([^>]*)>; rel="?first/.exec(response.headers.get('Link'))?.[1] || url;
    load(url, first, isTyping);
  }

  function follow() {
    if (sentinel.address(location) != sentinel.address(shown)) load(location.href);
  }

  // Shows the same users in the other view, from the first user in the window on.
  function turn() {
    sentinel.keepPlace();
    const url = new URL(location), { value, selectedIndex } = form.view;
    url.searchParams.delete('view');
    if (selectedIndex) url.searchParams.set('view', value);
    load(url.href, () => url.href);
  }

  function again() {
    if (users.dataset.state != 'loading') waiting?.();
  }

  // `name` returns the URL of the response; without it, the URL is in the address bar already.
  function load(url, name, isTyping) {
    clearTimeout(timer);
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
      sentinel.begin();
      get('status').textContent = document.querySelector('header p').textContent;
      return people;
    }, list, page => [page]);
  }

  // All that is typed makes one history entry, so Back leaves the search in one step.
  function enter(url, isTyping) {
    const isNew = new URL(url, location) != location.href && !(isTyping && typed);
    history[isNew ? 'pushState' : 'replaceState'](null, '', url);
  }

  function put(page, fresh) {
    document.title = page.title;
    document.body.className = page.body.className;
    for (const item of document.querySelectorAll(own)) item.remove();
    document.head.append(...page.querySelectorAll(own));
    for (const part of ['header', '.next, .end', 'footer']) document.querySelector(part).replaceWith(page.querySelector(part));
    list.querySelector('.earlier')?.remove();
    list.prepend(...page.querySelectorAll('.earlier'));
    for (const { name } of [...users.attributes]) users.removeAttribute(name);
    for (const { name, value } of fresh.attributes) users.setAttribute(name, value);
    users.replaceChildren(...fresh.childNodes);
  }

  // Keeps the field in use, and parts with the same text. Another directory has other filters.
  function adapt(fresh, isBack) {
    const { name, value, type } = document.activeElement, parts = [...fresh.children];
    const named = details => details.parentNode.firstElementChild.textContent;
    const open = [...form.querySelectorAll('[open]')].map(named);
    for (const details of fresh.querySelectorAll('details')) details.open = open.includes(named(details));
    if (isBack || form.children.length != parts.length || form.facets_of?.value != fresh.facets_of?.value) form.replaceChildren(...parts);
    else [...form.children].forEach((part, index) => part.textContent != parts[index].textContent && part.replaceWith(parts[index]));
    const used = name && [...form.elements].find(item => item.name == name && (type != 'checkbox' || item.value == value));
    used?.focus({ preventScroll: true });
    prepare();
    isBack ? scrollTo(0, 0) : (used || form).scrollIntoView({ block: 'nearest' });
  }

  // In an open filter, a field that finds values takes the place of the link to all of them.
  function prepare() {
    for (const link of form.querySelectorAll('[open] [open] > a')) {
      const field = document.createElement('input'), label = document.createElement('label');
      Object.assign(field, { type: 'search', className: 'values', placeholder: `Find in ${link.textContent.toLowerCase()}`, maxLength: 256, autocomplete: 'off' });
      field.ariaLabel = `Find in ${link.closest('fieldset').firstElementChild.textContent}`;
      field.dataset.url = link.href;
      label.append(field);
      link.replaceWith(label, document.createElement('div'));
    }
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
      people.textContent = count?.toLocaleString('en') ?? '';
      choice.append(box, ` ${label} `, people);
      return choice;
    }));
    if (text && !found.firstChild) found.textContent = values.length ? 'Listed above' : 'No such value';
  }
})();

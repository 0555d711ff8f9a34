// Shows the matches of the form while the reader types or chooses, and highlights the words. list.js loads this script after
// the page has loaded. Documentation/Script.md explains how it works.
(() => {
  const get = (id, page = document) => page.getElementById(id);
  const users = get('users'), form = get('find'), sentinel = users?.sentinel;
  if (!form || !sentinel?.begin) return;

  const list = users.parentNode, found = window.Highlight && RegExp.escape && new Highlight;
  const own = 'head :is([rel=canonical], [rel=prev], [rel=next])';
  // `waiting` repeats a load that has not succeeded. `typed`: typing made the current history entry.
  let shown = sentinel.opened, waiting, typed, timer, patterns;

  form.addEventListener('submit', event => {
    event.preventDefault();
    find();
  });
  form.addEventListener('change', () => typed = false);
  for (const name of ['input', 'compositionend']) form.addEventListener(name, ({ target, isComposing }) => {
    clearTimeout(timer);
    if (target.name != 'q') timer = setTimeout(target.name == 'view' ? turn : find);
    else if (!isComposing && sentinel.limit) timer = setTimeout(find, 200, true);
  });
  get('error').addEventListener('click', again);
  for (const name of ['online', 'pageshow', 'visibilitychange']) addEventListener(name, again);
  addEventListener('popstate', follow);
  users.addEventListener('sentinel:append', event => mark(event.detail.users));
  if (found) {
    CSS.highlights.set('found', found);
    // Inserted here, because the HTML checker reports this rule as an error in a style sheet.
    document.styleSheets[0]?.insertRule('::highlight(found) { background-color: var(--found); color: var(--ink); }');
  }
  look(document);
  mark([users]);
  // The reader may have gone back before this script was loaded.
  follow();
  sentinel.find = find;

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
      look(page);
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

  // Keeps the field in use, and parts with the same text. Another directory has other facets.
  function adapt(fresh, isBack) {
    const { name } = document.activeElement, parts = [...fresh.children];
    if (isBack || form.length != fresh.length || form.facets_of?.value != fresh.facets_of?.value) form.replaceChildren(...parts);
    else [...form.children].forEach((part, index) => part.textContent != parts[index].textContent && part.replaceWith(parts[index]));
    form[name]?.focus({ preventScroll: true });
    isBack ? scrollTo(0, 0) : form.scrollIntoView({ block: 'nearest' });
  }

  // Matches in any case, and accented letters of one code point or several.
  function look(page) {
    const words = found && get('find', page).q.defaultValue.match(/\S+/g) || [];
    const spelled = new Set(words.flatMap(word => [word.normalize(), word.normalize('NFD')]));
    patterns = [...spelled].map(word => RegExp(RegExp.escape(word), 'giu'));
    found?.clear();
  }

  function mark(people) {
    // The range of a removed user is collapsed.
    for (const range of found || []) range.collapsed && found.delete(range);
    for (const pattern of patterns) for (const user of people) for (const { firstChild } of user.querySelectorAll('h2 a, bdi')) {
      for (const { 0: text, index } of firstChild.data.matchAll(pattern)) {
        const range = new Range;
        range.setStart(firstChild, index);
        range.setEnd(firstChild, index + text.length);
        found.add(range);
      }
    }
  }
})();

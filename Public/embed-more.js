// Controls, dialog and walls of <rollcall-users>, and what keeps the reader's place. embed.js imports this at the first
// touch, or at once where an attribute needs it.

// Starts all of them, and returns what opens a person in the dialog.
export default function start(list) {
  const { host, link } = list;
  stay(list);
  if (link.search.includes('view=wall')) wall(list);
  if (host.matches('[search], [filters], [sort]')) control(list);
  if (host.getAttribute('open') == 'dialog') return dialogs(list);
}

// Keeps the place of the reader for a reload, for Back, and for routers, and returns to it.
function stay(list) {
  const { host, shadow, link, search, signal, on, entry, load, watch } = list, users = shadow.getElementById('users');
  on(keep, 'pagehide', 'pointerdown', 'keydown');
  on(touch, 'keydown', 'pointerdown', 'wheel');
  if (!list.place) return;
  host.addEventListener('sentinel:append', goOn, { signal });
  on(goOn, 'pageshow');
  goOn();

  function touch({ key }) {
    if (list.place) list.place.id = '';
    if (list.isTabbing != (list.isTabbing = key == 'Tab')) watch();
  }

  // Storage may be forbidden.
  function keep() {
    const user = [...users.children].find(user => distance(user) > -user.offsetHeight);
    try {
      if (user && !list.place) sessionStorage[entry()] = JSON.stringify({
        query: link.search, count: users.childElementCount, height: users.offsetHeight, id: user.id, top: distance(user), time: performance.timeOrigin,
      });
    } catch {}
  }

  // Returns how far an element is below the upper edge of what scrolls.
  function distance(element) {
    return element.getBoundingClientRect().top - (list.root.getBoundingClientRect?.().top || 0);
  }

  // Loads what was there in large pages, and then shows the person who was in view where it was. Later pages have their own size.
  function goOn() {
    const { place, url } = list, left = place && url && place.count - users.childElementCount;
    if (!place) return;
    if (url) {
      const page = new URL(url), size = left > 0 ? Math.min(left, 100) : new URLSearchParams(search).get('per_page');
      size ? page.searchParams.set('per_page', size) : page.searchParams.delete('per_page');
      list.url = page.href;
    }
    if (left > 0) return load();
    const user = shadow.getElementById(place.id), box = list.root.scrollingElement || list.root;
    const align = () => user && (box.scrollTop += distance(user) - place.top);
    list.place = null;
    users.style.minHeight = '';
    align();
    // Rows that come near get their real height.
    requestAnimationFrame(() => requestAnimationFrame(align));
    watch();
  }
}

// A wall is one page of faces, with their names as tooltips, and a link to all people: "+383 more".
function wall({ host, shadow, signal, word }) {
  const name = () => {
    const people = [...shadow.querySelectorAll('.user')], next = shadow.querySelector('.next');
    for (const person of people) person.title = person.querySelector('h2')?.textContent || '';
    if (!next || !people[0]) return;
    const { ariaPosInSet, ariaSetSize } = people.at(-1), rest = ariaSetSize - ariaPosInSet, all = new URL(next.href);
    all.searchParams.delete('since');
    Object.assign(next, { className: 'rest', href: all });
    if (rest > 0) next.textContent = word('rest', '+{count} more', { count: rest });
  };
  host.addEventListener('sentinel:append', name, { signal });
  name();
}

// MARK: Controls

// Keys that are typed here are no shortcuts of the page around.
function quiet(place, isQuiet) {
  for (const type of ['keydown', 'keypress', 'keyup']) place.addEventListener(type, event => {
    if (!event.ctrlKey && !event.metaKey && isQuiet(event)) event.stopPropagation();
  });
}

function control({ host, shadow, tools, link, signal, dressed, get, on, reload, tell, reason, word }) {
  const [users, more] = ['users', 'more'].map(id => shadow.getElementById(id));
  let form, flight, typing, waiting, pause = 1000, isLate;
  tools.addEventListener('submit', event => {
    event.preventDefault();
    change();
  });
  tools.addEventListener('change', ({ target }) => target.type == 'search' || change());
  tools.addEventListener('input', event => {
    if (event.target.type == 'search' && !event.isComposing) type();
  });
  tools.addEventListener('compositionend', type);
  tools.addEventListener('keydown', event => {
    const menu = event.key == 'Escape' && event.target.closest('details[open]');
    if (!menu) return;
    event.stopPropagation();
    close(menu).firstElementChild.focus();
  });
  quiet(tools, ({ key, target }) => target.matches('input, select') && !/^(Esc|Tab)/.test(key));
  // The page around knows the element alone.
  on(event => {
    for (const menu of tools.querySelectorAll('details[open]')) if (!event.composedPath().includes(menu)) close(menu);
  }, 'click');
  on(() => isLate && load(true), 'online');
  host.addEventListener('sentinel:append', () => {
    const end = more.querySelector('.end');
    if (end?.dataset.total == 0 && isChosen()) end.append(' ', clearing());
  }, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(typing);
    clearTimeout(waiting);
    flight?.abort();
  });
  load();

  function type() {
    clearTimeout(typing);
    typing = setTimeout(change, 200);
  }

  function close(menu) {
    menu.open = false;
    return menu;
  }

  // Names that would hide members of the form are in `data-name`.
  function inputs() {
    return [...form.querySelectorAll('input, select')].map(input => ({ input, name: input.name || input.dataset.name }));
  }

  function isChosen() {
    return inputs().some(({ input }) => input.type != 'hidden' && (input.type == 'checkbox' ? input.checked : input.type && input.localName == 'input' && input.value));
  }

  // The parameters of the list: those of `src`, with what the controls say in place of their own.
  function parameters() {
    const parameters = new URLSearchParams(link.search);
    for (const name of ['since', 'before', 'at', 'letter', 'order']) if (name != 'order' || inputs().some(({ name }) => name == 'sort')) parameters.delete(name);
    for (const { name } of inputs()) {
      parameters.delete(name);
      parameters.delete(name.replace(/\.(from|to)$/, ''));
    }
    for (const { input: { type, checked, value }, name } of inputs()) if (value && (type != 'checkbox' || checked)) parameters.append(name, value);
    return parameters;
  }

  function change() {
    clearTimeout(typing);
    const query = '?' + parameters();
    if (query == link.search) return;
    link.search = query;
    reload(link.href);
    pause = 1000;
    load(true);
  }

  // What does not come is asked for again. Meanwhile the reader is told why.
  async function load(isChange) {
    flight?.abort();
    clearTimeout(waiting);
    const { signal } = flight = new AbortController(), url = new URL(link.pathname + '/find' + link.search, link);
    url.searchParams.set('controls', ['search', 'sort'].filter(name => host.hasAttribute(name)));
    if (host.getAttribute('filters')) url.searchParams.set('filters', host.getAttribute('filters').replaceAll(' ', ''));
    try {
      const fresh = (await get(url.href, signal)).firstElementChild;
      await dressed;
      signal.throwIfAborted();
      isLate = false;
      if (form) update(fresh);
      else dress(fresh);
      const { total } = form.dataset;
      if (isChange) tell('rollcall:find', { query: link.search.slice(1), total: total ? +total : null });
    } catch (failure) {
      if (signal.aborted) return;
      const message = reason(failure, word);
      isLate = !failure.isWrong;
      if (form) form.querySelector('.result').textContent = message;
      else tools.replaceChildren(make('p', { role: 'alert', className: 'find', textContent: message }));
      if (isLate) waiting = setTimeout(load, Math.max(pause = Math.min(pause * 2, 30000), failure.wait || 0), isChange);
    }
  }

  // One menu is open at a time. All stand in one row. The field says what it is for.
  function dress(fresh) {
    const row = make('div', { className: 'menus' }), menus = fresh.querySelectorAll('.filter, .sort');
    for (const menu of menus) menu.name = 'filter';
    menus[0]?.before(row);
    row.append(...menus);
    tools.replaceChildren(form = fresh);
    const field = form.querySelector('.search');
    if (field) field.lastElementChild.placeholder = field.firstElementChild.textContent;
  }

  // Brings numbers and orders up to date. The controls stay, with focus, caret and what is open.
  function update(fresh) {
    form.dataset.total = fresh.dataset.total || '';
    for (const menu of fresh.querySelectorAll('details')) {
      const old = form.querySelector(`[data-field="${CSS.escape(menu.dataset.field)}"]`), labels = [...old.querySelectorAll('label')];
      // What is pressed at this moment must stay, or nothing would be clicked.
      const [summary, next] = [old, menu].map(menu => menu.firstElementChild);
      if (!summary.isEqualNode(next)) summary.replaceChildren(...next.childNodes);
      for (const label of menu.querySelectorAll('label')) {
        const { value, type } = label.querySelector('input'), known = labels.find(label => label.querySelector('input').value == value);
        const [count, now] = [known, label].map(label => label?.querySelector('.count'));
        if (!known || type != 'checkbox') continue;
        known.className = label.className;
        if (count && now) count.textContent = now.textContent;
        else if (now) known.append(' ', now);
        else count?.remove();
      }
    }
    const [orders, now] = [form, fresh].map(form => form.querySelector('select'));
    // An option that moves away selects the next one.
    const chosen = now?.selectedIndex;
    orders?.replaceChildren(...now.children);
    if (orders) orders.selectedIndex = chosen;
    form.querySelector('.result').textContent = fresh.querySelector('.result').textContent;
  }

  function clearing() {
    const button = make('button', { textContent: word('all', 'Show everyone') });
    button.onclick = () => {
      for (const { input } of inputs()) {
        if (input.type == 'checkbox') input.checked = false;
        else if (input.type != 'hidden' && input.localName == 'input') input.value = '';
      }
      change();
      form.querySelector('input:not([type=hidden]), summary')?.focus({ preventScroll: true });
    };
    return button;
  }
}

// MARK: Dialog

// If there are several elements, the first one of the document owns `#person=`, or else the first one in other shadow trees. A hash for
// a router of the page stays.
const others = new Set;

function dialogs({ host, shadow, tools, link, signal, get, handleOf, tell, reason, word }) {
  const users = shadow.getElementById('users'), close = make('button', { className: 'close', type: 'button', textContent: '×' }), content = document.createElement('div');
  const dialog = make('dialog', { className: 'dialog' }), known = new Set, { search } = link;
  const base = link.origin + link.pathname.replace(/fragment\/?$/, '');
  let open, row, isPushed, flight;
  dialog.setAttribute('aria-labelledby', 'who');
  dialog.append(close, content);
  shadow.append(dialog);
  close.onclick = () => dialog.close();
  // A click beside the dialog closes it, if the press began there, too.
  dialog.onpointerdown = dialog.onclick = ({ target, type, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect(), isBeside = target == dialog && (x < left || x > right || y < top || y > bottom);
    if (type == 'click' && isBeside && dialog.isBeside) dialog.close();
    dialog.isBeside = isBeside;
  };
  dialog.onclose = closed;
  quiet(dialog, () => true);
  users.addEventListener('keydown', event => {
    if (event.key != 'Enter' || !event.target.matches('.user')) return;
    // Otherwise the key would press the button that gets the focus.
    event.preventDefault();
    event.target.querySelector('h2 a')?.click();
  });
  addEventListener('popstate', follow, { signal });
  // It may be in a tab or in details that open later, and may be hidden while the dialog is open.
  const eye = new ResizeObserver(() => isShown() ? open || follow() : dialog.close());
  eye.observe(host);
  others.add(host);
  signal.addEventListener('abort', () => {
    eye.disconnect();
    others.delete(host);
    dialog.remove();
  });
  return person => {
    show(handleOf(person), person);
    return true;
  };

  function isShown() {
    return host.checkVisibility({ visibilityProperty: true });
  }

  function isFirst() {
    return (document.querySelector('rollcall-users[open=dialog]') || [...others][0]) == host;
  }

  // Returns the person in the address.
  function asked() {
    const [, handle] = /^#person=(.+)/.exec(location.hash) || [];
    try {
      return isFirst() && handle && decodeURIComponent(handle);
    } catch {}
  }

  function follow() {
    const handle = isShown() && asked();
    if (handle == (open || false) || !handle && !open) return;
    if (!handle) return dialog.close();
    const url = base + 'users/' + encodeURIComponent(handle), rows = [...users.querySelectorAll('h2 a')];
    if (open || tell('rollcall:open', { handle, url })) show(handle, rows.find(row => handleOf(row) == handle), url);
  }

  // Shows the row's name until the person is there.
  async function show(handle, person, url = person.href) {
    isPushed = known.has(handle);
    if (asked() != handle && !/^#[/!]/.test(location.hash) && isFirst()) {
      history.pushState(history.state, '', location.href.replace(/#.*|$/, '#person=' + encodeURIComponent(handle)));
      known.add(handle);
      isPushed = true;
    }
    open = handle;
    row = person;
    close.ariaLabel = word('close', 'Close');
    fill(make('h2', { id: 'who', textContent: person?.textContent || '' }));
    dialog.style.setProperty('--ground', ground(host));
    dialog.dir = tools.dir;
    if (!dialog.open) dialog.showModal();
    flight?.abort();
    const { signal } = flight = new AbortController(), full = new URL(url), from = new URLSearchParams(search);
    for (const name of ['directory', 'lang']) if (from.get(name) && !full.searchParams.has(name)) full.searchParams.set(name, from.get(name));
    try {
      const article = (await get(base + 'fragment/' + full.href.slice(base.length), signal)).firstElementChild;
      article.querySelector('h2').id = 'who';
      dialog.dir = article.dir || 'ltr';
      if (person) article.lastElementChild.href = url;
      fill(article);
    } catch (failure) {
      if (signal.aborted) return;
      content.append(make('p', { role: 'alert', textContent: reason(failure, word) }), make('a', { href: full, className: 'full', textContent: word('full', 'Full page') }));
    }
  }

  function fill(...nodes) {
    content.replaceChildren(...nodes);
    dialog.scrollTop = 0;
  }

  // Restores the address before it tells the page.
  function closed() {
    const handle = open, isHere = asked() == handle;
    flight?.abort();
    open = null;
    if (isHere && isPushed && isShown()) history.back();
    else if (isHere && isShown()) history.replaceState(history.state, '', location.href.replace(/#.*/, ''));
    row?.focus({ preventScroll: true });
    tell('rollcall:close', { handle });
  }
}

// Returns the colour behind the element, for what covers the page.
function ground(host) {
  for (let node = host; node; node = node.assignedSlot || node.parentNode || node.host) {
    const colour = node.tagName && getComputedStyle(node).backgroundColor;
    if (colour && !/^transparent$|, 0\)$|\/ 0\)$/.test(colour)) return colour;
  }
  return 'Canvas';
}

function make(name, properties) {
  const element = Object.assign(document.createElement(name), properties);
  if (element.className) element.part = element.className;
  return element;
}

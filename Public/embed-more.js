// The controls and the dialog of <rollcall-users>: embed.js imports this where one of their attributes is used.

// Starts both, and returns what opens a person in the dialog.
export default function start(list) {
  const { host } = list;
  if (host.matches('[search], [filters], [sort]')) control(list);
  if (host.getAttribute('open') == 'dialog') return dialogs(list);
}

// MARK: Controls

function control({ host, shadow, link, signal, get, reload, tell, reason, word }) {
  const place = document.createElement('div'), [users, more] = ['users', 'more'].map(id => shadow.getElementById(id));
  let form, flight, timer, pause = 1000, query = link.search;
  place.style.setProperty('--ground', ground(host));
  users.before(place);
  place.addEventListener('submit', event => {
    event.preventDefault();
    change();
  });
  place.addEventListener('change', ({ target }) => target.type == 'search' || change());
  place.addEventListener('input', event => {
    if (event.target.type == 'search' && !event.isComposing) wait(200, change);
  });
  place.addEventListener('compositionend', () => wait(200, change));
  host.addEventListener('sentinel:append', () => {
    const end = more.querySelector('.end');
    if (end?.dataset.total == 0 && isChosen()) end.append(' ', clearing());
  }, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    flight?.abort();
  });
  load();

  function wait(time, task) {
    clearTimeout(timer);
    timer = setTimeout(task, time);
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
    clearTimeout(timer);
    const next = '?' + parameters();
    if (next == query) return;
    query = next;
    pause = 1000;
    reload(link.origin + link.pathname + query);
    load(true);
  }

  async function load(isChange) {
    flight?.abort();
    const { signal } = flight = new AbortController(), url = new URL(link.pathname + '/find' + query, link);
    url.searchParams.set('controls', ['search', 'sort'].filter(name => host.hasAttribute(name)));
    if (host.getAttribute('filters')) url.searchParams.set('filters', host.getAttribute('filters').replaceAll(' ', ''));
    try {
      const fresh = (await get(url.href, signal)).firstElementChild;
      if (form) update(fresh);
      else place.replaceChildren(form = fresh);
      const { total } = form.dataset;
      if (isChange) tell('rollcall:find', { query: query.slice(1), total: total ? +total : null });
    } catch (failure) {
      if (signal.aborted) return;
      if (!failure.isWrong && pause < 9000) return wait(Math.max(pause *= 2, failure.wait || 0), () => load(isChange));
      if (!form || failure.isWrong) place.replaceChildren(make('p', { role: 'alert', className: 'find', textContent: reason(failure, word) }));
    }
  }

  // Brings numbers and orders up to date. The controls stay, with focus, caret and what is open.
  function update(fresh) {
    form.dataset.total = fresh.dataset.total || '';
    for (const menu of fresh.querySelectorAll('details')) {
      const old = form.querySelector(`[data-field="${CSS.escape(menu.dataset.field)}"]`), labels = [...old.querySelectorAll('label')];
      old.firstElementChild.replaceChildren(...menu.firstElementChild.childNodes);
      for (const label of menu.querySelectorAll('label')) {
        const { value, type } = label.querySelector('input'), known = labels.find(label => label.querySelector('input').value == value);
        const [count, now] = [known, label].map(label => label?.querySelector('.count'));
        if (!known || type != 'checkbox') continue;
        known.className = label.className;
        count?.replaceWith(now || '');
        if (!count && now) known.append(' ', now);
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

// If there are several elements, the first one owns `#person=`. A hash for a router of the page stays.
function dialogs({ host, shadow, link, signal, get, handleOf, tell, reason, word }) {
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
  users.addEventListener('keydown', event => {
    if (event.key != 'Enter' || !event.target.matches('.user')) return;
    // Otherwise the key would press the button that gets the focus.
    event.preventDefault();
    event.target.querySelector('h2 a')?.click();
  });
  addEventListener('popstate', follow, { signal });
  signal.addEventListener('abort', () => dialog.remove());
  follow();
  return person => {
    show(handleOf(person), person);
    return true;
  };

  // Returns the person in the address.
  function asked() {
    const [, handle] = /^#person=(.+)/.exec(location.hash) || [];
    try {
      return document.querySelector('rollcall-users[open=dialog]') == host && handle && decodeURIComponent(handle);
    } catch {}
  }

  function follow() {
    const handle = asked();
    if (handle == (open || false) || !handle && !open) return;
    if (!handle) return dialog.close();
    const url = base + 'users/' + encodeURIComponent(handle), rows = [...users.querySelectorAll('h2 a')];
    if (open || tell('rollcall:open', { handle, url })) show(handle, rows.find(row => handleOf(row) == handle), url);
  }

  // Shows the row's name until the person is there.
  async function show(handle, person, url = person.href) {
    isPushed = known.has(handle);
    if (asked() != handle && !/^#[/!]/.test(location.hash) && document.querySelector('rollcall-users[open=dialog]') == host) {
      history.pushState(history.state, '', location.href.replace(/#.*|$/, '#person=' + encodeURIComponent(handle)));
      known.add(handle);
      isPushed = true;
    }
    open = handle;
    row = person;
    close.ariaLabel = word('close', 'Close');
    fill(make('h2', { id: 'who', textContent: person?.textContent || '' }));
    dialog.style.setProperty('--ground', ground(host));
    if (!dialog.open) dialog.showModal();
    flight?.abort();
    const { signal } = flight = new AbortController(), full = new URL(url), from = new URLSearchParams(search);
    for (const name of ['directory', 'lang']) if (from.get(name) && !full.searchParams.has(name)) full.searchParams.set(name, from.get(name));
    try {
      const article = (await get(base + 'fragment/' + full.href.slice(base.length), signal)).firstElementChild;
      article.querySelector('h2').id = 'who';
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
    if (isHere && isPushed) history.back();
    else if (isHere) history.replaceState(history.state, '', location.href.replace(/#.*/, ''));
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

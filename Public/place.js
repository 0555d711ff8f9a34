// Keeps the reader's position in a list of any length. Uses sentinel.js. The server joins this script and live.js to rest.js,
// which list.js loads after the page. Documentation/Development/Script.md explains how it works.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), sentinel = users?.sentinel;
  if (!sentinel) return;

  const more = get('more'), error = get('error'), list = users.parentNode, { failures, hasFailed } = sentinel;
  const mostElements = 5000, run = 50, page = 30;
  // In each gap, the last run is the one next to the list.
  const above = gap('before'), below = gap('after');
  // Focused or selected users stay in the document, out of the flow.
  const pinned = new Map();
  let start, places = [], earlier, pattern, padding, grown, asked, timer, restore, still, told, wheeled = 0, touched = false;

  const near = new IntersectionObserver(look, { rootMargin: '150% 0px' });
  for (const name of ['pageshow', 'resize', 'online', 'visibilitychange']) addEventListener(name, watch);
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(keepPlace, 150);
  });
  // WebKit keeps a page that the reader leaves, but with manual restoration it shows that page at its top.
  addEventListener('pagehide', () => restore = hold());
  addEventListener('pageshow', () => restore && withoutAnchoring(restore));
  // At the top of the page, scrolling further up asks for earlier users. It must begin there: what brought the reader to the
  // top does not count, so that the header stays in reach.
  addEventListener('wheel', event => {
    const isNew = event.timeStamp - wheeled > 300;
    wheeled = event.timeStamp;
    if (isNew && event.deltaY < 0 && !event.ctrlKey && list.contains(event.target)) askAtTop();
  }, { passive: true });
  addEventListener('touchstart', ({ touches, target }) => touched = touches.length == 1 && scrollY <= 0 && list.contains(target) && touches[0].clientY, { passive: true });
  addEventListener('touchmove', ({ touches }) => {
    if (touched === false || touches[0].clientY - touched < 60) return;
    touched = false;
    askAtTop();
  }, { passive: true });
  addEventListener('keydown', event => {
    const { key, target } = event, hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (key == 'PageUp' && !hasModifier && !event.defaultPrevented && (target == document.body || list.contains(target))) askAtTop();
  });
  users.addEventListener('sentinel:error', () => watch(asked = false));
  // With data saving, a click on the initials loads the picture.
  if (navigator.connection?.saveData) users.addEventListener('click', ({ target }) => target.closest('.avatar')?.classList.add('shown'));
  users.addEventListener('sentinel:append', settle);
  users.addEventListener('sentinel:load', event => {
    if (!below.runs.length || event.detail.url != more.querySelector('a')?.dataset.fragment) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  // In a frame: reports the height of the content, not of the frame, to the page around it: at first, after each change, and when
  // it is asked. A frame that is not shown has no width.
  if (!get('find')) {
    // After the list, the text for screen readers would add a pixel to scroll.
    get('status').style.top = 0;
    new ResizeObserver(report).observe(document.documentElement);
    addEventListener('message', ({ data }) => data?.type == 'rollcall:height' && report(told = 0));
    // For paper: no event reaches a frame whose page is printed.
    users.addEventListener('sentinel:append', count);
    count();
  }

  list.style.position = 'relative';
  Object.assign(sentinel, { address, begin, digits, edge, keepPlace, reason, say, standing, word });
  begin();

  function count() {
    const all = standing();
    users.dataset.place = +users.dataset.total ? word('of', '{at} of {total}', { at: all.length, total: users.dataset.total }) : digits(all.length);
  }

  function report() {
    const { width, height } = document.documentElement.getBoundingClientRect(), whole = Math.ceil(height);
    if (width && whole != told) parent.postMessage({ type: 'rollcall:height', height: told = whole }, '*');
  }

  // Runs for every list that the page shows. `isNew`: another list than the one that the page came with.
  function begin(isNew) {
    start = location.href;
    earlier = users.role && list.querySelector('.earlier');
    pattern = list.querySelector('[data-fragment]')?.dataset.fragment;
    padding = parseFloat(getComputedStyle(users).paddingTop);
    places = [above.element, below.element, ...earlier ? [earlier] : []];
    for (const place of places) place.onclick = click;
    near.disconnect();
    pinned.clear();
    for (const gap of [above, below]) {
      gap.runs.length = 0;
      show(gap);
    }
    sentinel.pages = grown = 0;
    // Else a pull at the top reloads the page on a phone.
    document.documentElement.style.overscrollBehaviorY = earlier ? 'contain' : '';
    if (isNew && history.state) scrollBy(0, box(users.firstElementChild).top - history.state.top);
    still = scrollY;
    settle();
  }

  function watch() {
    for (const place of places) {
      near.unobserve(place);
      near.observe(place);
    }
    sentinel.watch();
  }

  function look() {
    const missing = gap => gap == above ? box(standing()[0]).top : innerHeight - box(standing().at(-1)).bottom;
    const gaps = [above, below].filter(gap => gap.runs.length && !hasFailed(gap.element));
    const [next] = gaps.sort((a, b) => missing(b) - missing(a));
    next && missing(next) > -1.5 * innerHeight ? fill(next, missing(next)) : grow();
  }

  function fill(gap, missing) {
    const { runs, element } = gap, nearest = runs.length - 1;
    let index = nearest, depth = missing - innerHeight;
    // Loads the run in the window, not the one next to the list.
    while (index && depth > runs[index].height) depth -= runs[index--].height;
    const { count } = runs[index], previous = runs[gap == above ? index - 1 : index + 1];
    const from = index < nearest ? previous ? { since: previous.last } : { before: runs[1].first }
      : gap == above ? { before: cursor(standing()[0]) } : { since: cursor(standing().at(-1)) };
    sentinel.load(address(pattern, { ...from, per_page: count }), (items, ...rest) => {
      if (index < nearest && items[0]) moveTo(gap, index);
      return refill(gap, items, ...rest);
    }, element);
  }

  function refill(gap, items, last, response) {
    const end = gap.runs.pop().last;
    // The first and last users may have changed.
    if (gap == above && !gap.runs.length && (!earlier || earlier.hidden) && hasPrevious(response)) gap.runs.push({ count: page, height: 0 });
    keepView(first => {
      putIn(items, gap == above && first || [...pinned].find(([, run]) => below.runs.includes(run))?.[0]);
      show(above);
      show(below);
    });
    if (gap.element.contains(document.activeElement)) items[0]?.focus({ preventScroll: true });
    if (gap == below && !gap.runs.length && items[0] && cursor(items.at(-1)) != end) more.querySelector('.next, .end').replaceWith(last);
    return items;
  }

  // While it is visible, the link waits for a click, so that the reader can reach the header.
  function grow() {
    const { bottom } = earlier ? box(earlier) : {};
    if (!bottom || above.runs.length || !asked && (bottom > edge() || bottom < -1.5 * innerHeight || grown >= sentinel.limit || hasFailed(earlier))) return;
    const from = { before: cursor(standing()[0]), per_page: Math.ceil(page / columns()) * columns() };
    sentinel.load(address(pattern, from), addEarlier, earlier);
  }

  function addEarlier(items, last, response) {
    if (!asked && box(earlier).bottom > edge()) return [];
    const fresh = items.filter(user => !get(user.id)), link = earlier.querySelector('a'), focused = link == document.activeElement;
    keepView(first => {
      putIn(fresh, first);
      link.href = address(link.href, { before: cursor(standing()[0]) });
      earlier.hidden = !hasPrevious(response);
    });
    if (focused) fresh.at(-1)?.focus({ preventScroll: true });
    asked = false;
    grown++;
    say('earlier', fresh.length, standing()[0]);
    return fresh;
  }

  function click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a, button')) return;
    event.preventDefault();
    const place = event.currentTarget;
    (place.querySelector('a') || place).focus({ preventScroll: true });
    ask(place);
  }

  function askAtTop() {
    if (earlier && !earlier.hidden && scrollY <= 0) ask(earlier);
  }

  function ask(place) {
    error.hidden = true;
    asked = place == earlier;
    failures.delete(place);
    look();
  }

  function putIn(items, next = null) {
    const fresh = [];
    for (const user of items.toReversed()) {
      const known = get(user.id);
      if (!known) {
        user.style.contentVisibility = 'visible';
        users.insertBefore(user, next);
        fresh.push(user);
      } else if (pinned.delete(known)) known.removeAttribute('style');
      else continue;
      next = known || user;
    }
    // After they are drawn once, they keep their true height.
    requestAnimationFrame(() => requestAnimationFrame(() => fresh.forEach(user => user.style.contentVisibility = '')));
  }

  function keepView(change) {
    const restore = hold();
    withoutAnchoring(() => {
      change(standing()[0]);
      restore();
    });
  }

  // The browser's own scroll anchoring would correct a second time.
  function withoutAnchoring(change) {
    const { style } = document.documentElement;
    style.overflowAnchor = 'none';
    change();
    requestAnimationFrame(() => style.overflowAnchor = '');
  }

  // Returns what scrolls the first user in view back to where that user is now.
  function hold() {
    const all = standing(), anchor = all.find(user => box(user).bottom > edge()) || all.at(-1) || users, { top } = box(anchor);
    return () => {
      const moved = box(anchor).top - top;
      if (moved) scrollBy({ top: moved, behavior: 'instant' });
    };
  }

  function settle() {
    for (const user of pinned.keys()) if (!held(user)) pinned.delete(user) && user.remove();
    // Without users who are taken out, the page is shorter until their gap has its height. Near the end that scrolls it.
    if (isLarge()) keepView(() => {
      while (isLarge()) {
        const all = standing(), over = -box(all[0]).top, under = box(all.at(-1)).bottom - innerHeight;
        const gap = over > under ? above : below, group = cut(all, gap);
        if ((gap == above ? -box(group.at(-1)).bottom : box(group[0]).top - innerHeight) < 2 * innerHeight) break;
        takeOut(group, gap);
      }
    });
    makeRoom();
    watch();
  }

  function isLarge() {
    return users.getElementsByTagName('*').length > mostElements;
  }

  // Returns users of whole rows.
  function cut(all, gap) {
    let index = gap == above ? run : all.length - run;
    while (index > 0 && index < all.length && box(all[index]).top == box(all[index - 1]).top) gap == above ? index++ : index--;
    return gap == above ? all.slice(0, index) : all.slice(Math.max(index, 0));
  }

  function takeOut(group, gap) {
    const { height } = box(users), taken = { first: cursor(group[0]), last: cursor(group.at(-1)), count: group.length };
    for (const [user, { top }] of group.filter(held).map(user => [user, box(user)])) {
      pinned.set(user, taken);
      Object.assign(user.style, { position: 'absolute', inset: `${top - box(list).top}px 0 auto` });
    }
    for (const user of group) pinned.has(user) || user.remove();
    taken.height = height - box(users).height;
    gap.runs.push(taken);
    show(gap);
  }

  function moveTo(gap, index) {
    const other = gap == above ? below : above;
    for (let all; (all = standing()).length;) takeOut(cut(all, other), other);
    while (gap.runs.length - 1 > index) other.runs.push(gap.runs.pop());
  }

  function held(user) {
    const { isCollapsed, anchorNode, focusNode } = getSelection();
    if (user.contains(document.activeElement)) return true;
    return !isCollapsed && (user.contains(anchorNode) || user.contains(focusNode) || pinned.size < 100 && getSelection().containsNode(user));
  }

  function gap(where) {
    const element = document.createElement('div');
    Object.assign(element, { className: 'gap', hidden: true, tabIndex: -1 });
    users[where](element);
    return { element, runs: [] };
  }

  function show({ element, runs }) {
    const height = runs.reduce((sum, run) => sum + run.height, 0);
    element.hidden = !runs.length;
    element.style.height = height + 'px';
    if (element != above.element) return;
    // The list itself does not move: no layout shift.
    element.style.marginBottom = -height + 'px';
    users.style.paddingTop = padding + height + 'px';
  }

  function makeRoom() {
    const all = standing(), link = more.querySelector('a'), rows = count => Math.ceil(count / columns());
    const coming = link ? Math.min(users.dataset.total - all.at(-1).ariaPosInSet, link.dataset.fragment.match(/per_page=(\d+)/)[1]) : 0;
    const pitch = (box(all.at(-1)).bottom - box(all[0]).top) / rows(all.length);
    more.style.setProperty('--ahead', Math.max(0, rows(coming) * pitch) + 'px');
  }

  function keepPlace() {
    watch();
    const all = standing(), index = all.findIndex(user => box(user).bottom > edge() + 1), first = all[index];
    // The current history entry may be of a list that is not loaded yet.
    if (!first || padding == null || box(first).top > innerHeight || address(location) != address(start)) return;
    const since = index ? cursor(all[index - 1]) : above.runs.at(-1)?.last;
    // The user before the first one may not be known.
    const second = !since && grown && !earlier.hidden && all[1];
    const url = since || grown ? address(start, second ? { since: cursor(first) } : since ? { since } : {}) : start;
    history.replaceState({ top: box(second || first).top }, '', url);
  }

  // Returns where the list begins in the window: below the bar, which stays.
  function edge() {
    const bar = document.querySelector('.bar');
    return bar ? Math.max(0, box(bar).bottom) : 0;
  }

  // Tells screen readers what was loaded, and where; not of people who fill the window by themselves.
  function say(what, count, user) {
    if (scrollY == still) return;
    const at = user.ariaPosInSet, { total } = users.dataset;
    const place = at && +total ? word('of', '{at} of {total}', { at, total }) : digits(at || total);
    get('status').textContent = `${word(what, '{count} ' + what, { count })}, ${place}`;
  }

  // Returns a message in the language of the page, which contains those that are not in English, with numbers for names.
  function word(name, text, numbers) {
    return (JSON.parse(users.dataset.words || '{}')[name] || text).replace(/{(\w+)}/g, (_, key) => digits(numbers[key]));
  }

  // Returns why a request failed: without a response, because of the network.
  function reason(response) {
    if (!response) return navigator.onLine ? word('unreachable', 'The server cannot be reached. ') : word('offline', 'You’re offline. The rest will load when you’re back. ');
    return /429|503/.test(response.status) ? word('busy', 'The server is busy. ') : word('problem', 'The server has a problem. ');
  }

  function digits(number) {
    return (+number).toLocaleString(document.documentElement.lang + '-u-nu-latn');
  }

  function hasPrevious(response) {
    return /rel="?prev/.test(response.headers.get('Link'));
  }

  function columns() {
    return getComputedStyle(users).gridTemplateColumns.split(' ').length;
  }

  function standing() {
    return [...users.children].filter(user => !pinned.has(user));
  }

  function cursor(user) {
    return user.dataset.cursor || user.dataset.id;
  }

  function address(url, parameters) {
    const { pathname, searchParams } = new URL(url, start);
    // A letter without an order means the order by name.
    if (searchParams.get('letter') && !searchParams.get('sort')) searchParams.set('sort', 'name');
    for (const name of ['since', 'before', 'at', 'letter']) searchParams.delete(name);
    for (const name in parameters) searchParams.set(name, parameters[name]);
    return pathname + (searchParams.size ? '?' + searchParams : '');
  }

  function box(element) {
    return element.getBoundingClientRect();
  }
})();

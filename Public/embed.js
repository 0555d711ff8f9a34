// Defines <rollcall-users src="/fragment">A link</rollcall-users>. It dispatches on itself the events that sentinel.js
// dispatches on #users, and more of its own. The attributes `search`, `filters`, `sort` and `open` load embed-more.js, as do
// a wall, the first touch of the page, and a return to it.
(() => {
  // A page may contain the lines twice.
  customElements.get('rollcall-users') || customElements.define('rollcall-users', class extends HTMLElement {
    static observedAttributes = ['src', 'lang', 'search', 'filters', 'sort', 'open'];
    connectedCallback() { settle(this); }
    disconnectedCallback() { settle(this); }
    attributeChangedCallback() { settle(this, true); }
  });

  // An element that was moved in the page goes on. One with other attributes begins again.
  function settle(host, isOther) {
    host.isOther ||= isOther;
    queueMicrotask(() => {
      if (host.isConnected && host.close && !host.isOther) return host.watch();
      host.close?.();
      host.close = host.isOther = null;
      if (host.isConnected) open(host);
    });
  }

  function open(host) {
    const shadow = host.shadowRoot || host.attachShadow({ mode: 'open' });
    const style = make('link', { rel: 'stylesheet' }), dressed = new Promise(done => style.onload = style.onerror = done);
    const tools = make('div', { id: 'tools' }), users = make('div', { id: 'users' }), status = make('p', { id: 'status', role: 'status' });
    const spinner = make('div', { id: 'spinner', role: 'status' }, 'Loading more people');
    const error = make('div', { id: 'error', role: 'alert' }, 'More people could not be loaded. ', make('button', { id: 'button' }, 'Try again'));
    // Shows the slot until users have loaded.
    const more = make('div', { id: 'more' }, make('slot'), spinner, error);
    const life = new AbortController(), { signal } = life;
    // Without an http or https URL, the slot stays.
    const link = make('a', { href: host.getAttribute('src') || 'x:' }), { search } = link;
    // The languages that the server speaks. Without the attribute, it chooses one itself.
    const [language] = /^(en|ko|de|fr|es|ja|zh|ar)(?![a-z])/i.exec(host.lang) || [];
    if (language && !/[?&]lang=/.test(link.search)) link.search += (link.search ? '&' : '?') + 'lang=' + language.toLowerCase();
    const isWall = link.search.includes('view=wall');
    const button = error.lastElementChild, saveData = navigator.connection?.saveData;
    // The messages in the language of the first fragment, unless that is English.
    let words = {}, locale = 'en';
    let pages = 0, stalls = 0, height = 0, top, near, above, flight, wake, again, extended;
    // Whether the next users replace those that are there, and what opens a person here.
    let isOther, view;
    // What embed-more.js shares: the URL of the next page, what scrolls, the place to which the reader returns, and whether Tab was the last key.
    const list = { host, shadow, tools, link, search, signal, dressed, entry, get, handleOf, on, load, reload, watch, tell, reason, word };
    const place = list.place = recall();
    if (place) link.search = place.query;
    list.url = /^http/.test(link.protocol) && link.href;

    on(watch, 'pageshow', 'resize');
    on(resume, 'online', 'visibilitychange');
    on(stop, 'pagehide');
    host.watch = watch;
    host.close = () => {
      life.abort();
      stop();
    };
    more.addEventListener('click', event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a, button') || !list.url) return;
      // After a wrong request, the slot's link leads to the directory.
      if (!error.hidden && button.hidden) return;
      event.preventDefault();
      error.hidden = true;
      more.querySelector('a')?.focus({ preventScroll: true });
      wake ? wake() : load();
    });
    users.addEventListener('keydown', event => {
      const user = event.target.closest('article');
      const to = { PageDown: user.nextSibling, PageUp: user.previousSibling }[event.key];
      if (to) event.preventDefault();
      to?.focus();
    });
    users.addEventListener('click', event => {
      const { target } = event, person = target.closest('h2 a');
      // With data saving, a click on the initials loads the picture.
      for (const picture of target.querySelectorAll(':scope.avatar [hidden]')) picture.hidden = false;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !person) return;
      if (!tell('rollcall:open', { handle: handleOf(person), url: person.href }) || view?.(person)) event.preventDefault();
    });

    // A picture that could not be loaded is tried three times again. Errors do not bubble.
    users.addEventListener('error', ({ target: picture }) => {
      const pause = [2000, 8000, 32000][picture.tries = picture.tries + 1 || 0];
      if (pause) setTimeout(() => picture.src = picture.src, pause * (1 + Math.random() / 2));
    }, true);

    shadow.replaceChildren(style, tools, users, more, status);
    if (list.url) {
      style.href = new URL('embed.css', link);
      // Until people are there, what follows them stays out of the window, so that it does not move within it.
      users.style.minHeight = (place ? place.height : Math.max(0, innerHeight - users.getBoundingClientRect().top)) + 'px';
      on(extend, 'pointerdown', 'keydown', 'wheel');
      if (place || isWall || host.matches('[search], [filters], [sort], [open]')) extend();
    }
    show('idle');

    function on(task, ...types) {
      for (const type of types) addEventListener(type, task, { signal, capture: true, passive: true });
    }

    // Browsers keep the failure of a script for its address.
    async function extend() {
      if (extended) return;
      extended = true;
      const part = new URL('embed-more.js', link);
      for (let pause = 1000; ; pause *= 2) {
        const found = await import(part).catch(() => {});
        if (found || signal.aborted) return view = signal.aborted || found.default(list);
        await get(part.href, signal).catch(failure => {
          if (host.matches('[search], [filters], [sort]')) tools.replaceChildren(make('p', { role: 'alert' }, reason(failure, word)));
        });
        await new Promise(done => setTimeout(again = done, Math.min(pause, 30000)));
        part.hash = pause;
        // The list does not wait for it.
        list.place = null;
        watch();
      }
    }

    function stop() {
      flight?.abort();
      if (flight) show('idle');
    }

    function resume() {
      again?.();
      if (document.hidden || !error.hidden && button.hidden) return;
      wake ? wake() : error.hidden || show('idle');
    }

    // If the reader jumps past the link, only one page is loaded, because the link may stay above the window.
    function watch() {
      const root = scroller(host);
      if (root != list.root) {
        list.root = root;
        near?.disconnect();
        above?.disconnect();
        near = new IntersectionObserver(reach, { root, rootMargin: '0px 0px 100%' });
        above = new IntersectionObserver(entries => entries.at(-1).isIntersecting && reach(entries), { root, rootMargin: '9999999px 0px -100%' });
        above.observe(more);
      }
      near.unobserve(more);
      near.observe(more);
    }

    // While Tab leads through the people, the list waits at its end for Enter: so the keys lead past it.
    function reach(entries) {
      const limit = saveData ? 1 : +host.dataset.autoPages || Infinity;
      const isDue = entries.at(-1).isIntersecting && pages < limit && !(list.isTabbing && shadow.activeElement);
      if (flight || list.place || !error.hidden) return;
      if (top != (top = users.getBoundingClientRect().top)) {
        height = users.offsetHeight;
        stalls = 0;
      }
      // After two windows without a scroll, it waits for one.
      if (isOther || isDue && users.offsetHeight - height < innerHeight * 2 && stalls < 20) return load();
      if (isDue) addEventListener('scroll', watch, { signal, capture: true, once: true });
      users.style.minHeight = '';
    }

    function entry() {
      return 'rollcall' + location.pathname + location.search + JSON.stringify(history.state) + host.getAttribute('src');
    }

    // Returns what embed-more.js kept, if the reader has come back: with a router in the same document, or else by a reload or the
    // history. Storage may be forbidden.
    function recall() {
      try {
        const place = JSON.parse(sessionStorage[entry()]);
        if (place.time == performance.timeOrigin || performance.getEntriesByType('navigation')[0].type != 'navigate') return place;
      } catch {}
    }

    // Shows another list as soon as it is there.
    function reload(next) {
      stop();
      error.hidden = isOther = true;
      pages = stalls = height = 0;
      list.place = null;
      list.url = next;
      load();
    }

    async function load() {
      const { url } = list;
      if (flight || !url || !tell('sentinel:load', { url })) return;
      const { signal } = flight = new AbortController();
      show('loading');
      for (let pause = 1000; ; pause *= 2) {
        try {
          const page = await fragment(url, signal);
          await dressed;
          signal.throwIfAborted();
          return append(page);
        } catch (failure) {
          if (signal.aborted) return;
          const wait = Math.max(pause * (.5 + Math.random() / 2), failure.wait || 0), { isWrong } = failure;
          if (isWrong || pause > 4000 || wait > 60000) {
            const asked = shadow.activeElement == more.firstChild;
            button.hidden = isWrong;
            error.firstChild.data = reason(failure, word);
            list.place = null;
            show('error');
            if (asked) button.focus({ preventScroll: true });
            return tell('sentinel:error', { url, error: failure });
          }
          await new Promise(done => setTimeout(wake = done, wait));
        }
      }
    }

    function append([last, ...items]) {
      const asked = shadow.activeElement == more.firstChild, from = list.url;
      if (isOther) users.replaceChildren();
      // Other articles than users stay where they are, and are not counted.
      const found = items.filter(item => !shadow.getElementById(item.id)), fresh = found.filter(user => user.matches('.user'));
      const end = fresh.at(-1), { total } = last.dataset;
      if (last.dataset.words) translate(JSON.parse(last.dataset.words));
      if (last.lang) locale = last.lang;
      for (const part of [tools, users, more, status]) Object.assign(part, { lang: locale, dir: last.dir || 'ltr' });
      if (saveData) for (const user of fresh) for (const picture of user.querySelectorAll('.avatar img')) picture.hidden = true;
      users.append(...found);
      more.firstChild.replaceWith(last);
      if (asked) fresh[0]?.focus({ preventScroll: true });
      pages++;
      stalls++;
      users.role = users.firstChild && 'feed';
      if (end) {
        users.ariaLabel = host.ariaLabel || word('people', 'People');
        const [at, size] = [end.ariaPosInSet, end.ariaSetSize].filter(n => n > 0);
        const position = users.dataset.place = size ? word('of', '{at} of {total}', { at, total: size }) : at ? word('at', '{at}', { at }) : '';
        if (!isOther) status.textContent = [word('more', '{count} more', { count: fresh.length }), position].filter(Boolean).join(', ');
      }
      isOther = false;
      // A wall is one page.
      const url = list.url = isWall ? '' : last.dataset.fragment;
      show(url ? 'idle' : 'end');
      tell('sentinel:append', { url: from, users: fresh });
      if (!url) tell('sentinel:end');
      shadow.isReady ||= tell('rollcall:ready', { total: total ? +total : null });
    }

    function translate(all) {
      words = all;
      spinner.textContent = words.loading;
      button.textContent = words.again;
    }

    function word(name, text, numbers) {
      return (words[name] || text).replace(/{(\w+)}/g, (_, key) => (+numbers[key]).toLocaleString(locale + '-u-nu-latn'));
    }

    function show(state) {
      const busy = state == 'loading';
      wake = 0;
      if (!busy) {
        flight = null;
        watch();
      }
      host.dataset.state = state;
      users.ariaBusy = busy;
      spinner.hidden = !busy;
      error.hidden = state != 'error';
    }

    function tell(name, detail) {
      return host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, cancelable: /load|open/.test(name) }));
    }
  }

  function handleOf(link) {
    return decodeURIComponent(/[^/]*$/.exec(link.pathname));
  }

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    element.part = element.id;
    return element;
  }

  // Returns the ancestor that scrolls now, or the document. Boxes without a height have `overflow`, too.
  function scroller(node) {
    while ((node = node.assignedSlot || node.parentNode || node.host) && node != document.body) {
      if (node.scrollHeight > node.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    }
    return document;
  }

  // Returns the users of a fragment, after the link or end mark.
  async function fragment(url, signal) {
    const { children, ownerDocument } = await get(url, signal), items = [...children], last = items.pop();
    // A directory may have moved to another name; a page to sign in is no list.
    const at = new URL(ownerDocument.URL), isMoved = at.pathname != new URL(url).pathname;
    if (isMoved || !last?.matches('a.next, p.end') || items.some(item => !item.matches('article'))) throw { status: 200 };
    if (last.href) last.dataset.fragment = new URL(last.dataset.fragment, at);
    return [last, ...items];
  }

  // Returns the body of a fragment, without what would run, and with absolute addresses.
  async function get(url, signal) {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('GET', url);
    request.responseType = 'document';
    request.timeout = 30000;
    signal.onabort = () => request.abort();
    await new Promise(done => {
      request.onloadend = done;
      request.send();
    });
    const { response, status } = request, after = request.getResponseHeader('Retry-After');
    const isWrong = /^4(?!08|29)/.test(status), wait = after * 1000 || Date.parse(after) - Date.now();
    if (response) sanitize(response);
    if (status != 200 || !response) throw { response, status, wait, isWrong };
    const { body, links } = response;
    for (const link of links) link.href = link.href;
    for (const picture of response.images) {
      picture.src = picture.src;
      if (picture.srcset) picture.srcset = new URL(picture.srcset.split(' ')[0], url) + ' 2x';
    }
    for (const item of body.querySelectorAll('[class], h2')) item.part = item.className || 'name';
    return body;
  }

  // Removes everything that would run code of another origin. Named fields of a form (and images of a document) hide its
  // members of the same name, such as `attributes`, so methods are those of the prototypes until those names are removed.
  // The name stays as `data-name`.
  function sanitize(page) {
    const { matches, remove, getAttributeNames, getAttribute, removeAttribute, setAttribute } = Element.prototype;
    for (const node of Document.prototype.querySelectorAll.call(page, '*')) {
      if (matches.call(node, 'script, iframe, object, embed, meta, animate, set, rollcall-users')) remove.call(node);
      for (const name of getAttributeNames.call(node)) {
        const value = getAttribute.call(node, name), isMember = value in HTMLFormElement.prototype || value in Document.prototype;
        if (/^on|^[^=]+=javascript:/i.test(name + '=' + value.replace(/[\0- ]/g, '')) || isMember && /^(id|name)$/.test(name)) {
          removeAttribute.call(node, name);
          if (isMember) setAttribute.call(node, 'data-name', value);
        }
      }
    }
  }

  function reason({ response, status, isWrong }, word) {
    if (!status && !navigator.onLine) return word('offline', 'You are offline. ');
    if (isWrong) return response?.querySelector('[role=alert]')?.firstChild?.data || word('refused', 'The server refused this request. ');
    if (!status) return word('unreachable', 'The server cannot be reached. ');
    return status == 429 || status == 503 ? word('busy', 'The server is busy. ') : word('problem', 'The server has a problem. ');
  }
})();

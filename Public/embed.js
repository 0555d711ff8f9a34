// Defines <rollcall-users src="/fragment">A link</rollcall-users>. It dispatches on itself the events that sentinel.js
// dispatches on #users, and more of its own. The attributes `search`, `filters`, `sort` and `open` load embed-more.js.
(() => {
  customElements.define('rollcall-users', class extends HTMLElement {
    static observedAttributes = ['src', 'lang', 'search', 'filters', 'sort', 'open'];
    connectedCallback() { open(this); }
    disconnectedCallback() { open(this); }
    attributeChangedCallback() { open(this); }
  });

  function open(host) {
    host.close?.();
    if (!host.isConnected) return;
    const shadow = host.shadowRoot || host.attachShadow({ mode: 'open' });
    const style = make('link', { rel: 'stylesheet', onload: watch });
    const users = make('div', { id: 'users' }), status = make('p', { id: 'status', role: 'status' });
    const spinner = make('div', { id: 'spinner', role: 'status' }, 'Loading more people');
    const error = make('div', { id: 'error', role: 'alert' }, 'More people could not be loaded. ', make('button', { id: 'button' }, 'Try again'));
    // Shows the slot until users have loaded.
    const more = make('div', { id: 'more' }, make('slot'), spinner, error);
    const life = new AbortController(), { signal } = life, root = scroller(host);
    // Without an http or https URL, the slot stays.
    const link = make('a', { href: host.getAttribute('src') || 'x:' });
    // The languages that the server speaks. Without the attribute, it chooses one itself.
    const [language] = /^(en|ko|de|fr|es|ja|zh|ar)(?![a-z])/i.exec(host.lang) || [];
    if (language && !/[?&]lang=/.test(link.search)) link.search += (link.search ? '&' : '?') + 'lang=' + language.toLowerCase();
    // Errors by URL. A request that is itself wrong is not sent again.
    const isWall = link.search.includes('view=wall');
    const button = error.lastElementChild, refusals = {}, saveData = navigator.connection?.saveData;
    // The messages in the language of the first fragment, unless that is English.
    let words = {}, locale = 'en';
    const retries = new WeakMap();
    let pages = 0, stalls = 0, height, flight, wake, url = /^http/.test(link.protocol) && link.href;
    // Whether the next users replace those that are there; what opens a person here; and whether the list was announced.
    let isOther, view, isReady;

    // If the reader jumps past the link, only one page is loaded, because the link may stay above the window.
    const near = new IntersectionObserver(reach, { root, rootMargin: '0px 0px 100%' });
    new IntersectionObserver(reach, { root, rootMargin: '9999999px 0px -100%' }).observe(more);

    addEventListener('pageshow', watch, { signal });
    addEventListener('resize', watch, { signal });
    addEventListener('online', resume, { signal });
    addEventListener('visibilitychange', resume, { signal });
    addEventListener('pagehide', stop, { signal });
    host.close = () => {
      life.abort();
      stop();
    };
    more.addEventListener('click', event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a:not(.rest), button') || !url) return;
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
      const count = retries.get(picture) || 0;
      retries.set(picture, count + 1);
      if (count < 3) setTimeout(() => picture.src = picture.src, 2000 * 4 ** count * (1 + Math.random() / 2));
    }, true);

    shadow.replaceChildren(style, users, more, status);
    if (url) style.href = new URL('embed.css', url);
    show('idle');
    if (url && host.matches('[search], [filters], [sort], [open]')) {
      const list = { host, shadow, link, signal, get, handleOf, reload, tell, reason, word };
      import(new URL('embed-more.js', url)).then(part => view = signal.aborted || part.default(list), () => {});
    }

    function stop() {
      flight?.abort();
      if (flight) show('idle');
    }

    function resume() {
      if (document.hidden || !error.hidden && button.hidden) return;
      wake ? wake() : error.hidden || show('idle');
    }

    function watch() {
      near.unobserve(more);
      near.observe(more);
    }

    function reach(entries) {
      const limit = saveData ? 1 : +host.dataset.autoPages || Infinity;
      if (!entries.at(-1).isIntersecting || pages >= limit || !error.hidden) return;
      if (height != (height = users.offsetHeight)) stalls = 0;
      if (stalls < 10) load();
    }

    // Shows another list as soon as it is there.
    function reload(next) {
      stop();
      error.hidden = isOther = true;
      pages = 0;
      url = next;
      load();
    }

    async function load() {
      if (flight || !url || !tell('sentinel:load', { url })) return;
      const { signal } = flight = new AbortController();
      show('loading');
      for (let pause = 1000; ; pause *= 2) {
        try {
          if (refusals[url]) throw refusals[url];
          return append(await fragment(url, signal));
        } catch (failure) {
          if (signal.aborted) return;
          const wait = Math.max(pause * (.5 + Math.random() / 2), failure.wait || 0), { isWrong } = failure;
          if (isWrong || pause > 4000 || wait > 60000) {
            const asked = shadow.activeElement == more.firstChild;
            if (button.hidden = isWrong) refusals[url] = failure;
            error.firstChild.data = reason(failure, word);
            show('error');
            if (asked) button.focus({ preventScroll: true });
            return tell('sentinel:error', { url, error: failure });
          }
          await new Promise(done => setTimeout(wake = done, wait));
        }
      }
    }

    function append([last, ...items]) {
      const asked = shadow.activeElement == more.firstChild, from = url;
      if (isOther) users.replaceChildren();
      // Other articles than users stay where they are, and are not counted.
      const found = items.filter(item => !shadow.getElementById(item.id)), fresh = found.filter(user => user.matches('.user'));
      const end = fresh.at(-1), { total } = last.dataset;
      if (last.dataset.words) translate(JSON.parse(last.dataset.words));
      if (last.lang) locale = last.lang;
      for (const part of [more, status]) Object.assign(part, { lang: locale, dir: last.dir });
      if (isWall) last = wall(fresh, last, count => word('rest', '+{count} more', { count }));
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
        const place = size ? word('of', '{at} of {total}', { at, total: size }) : at && word('at', '{at}', { at });
        if (!isOther) status.textContent = [word('more', '{count} more', { count: fresh.length }), place].filter(Boolean).join(', ');
      }
      isOther = false;
      url = last.dataset.fragment;
      show(url ? 'idle' : 'end');
      tell('sentinel:append', { url: from, users: fresh });
      if (!url) tell('sentinel:end');
      isReady ||= tell('rollcall:ready', { total: total ? +total : null });
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

  // A wall is one page of faces, with their names as tooltips, and a link to all people: "+383 more".
  function wall(people, last, more) {
    for (const person of people) person.title = person.querySelector('h2')?.textContent || '';
    if (!last.href) return last;
    const { ariaPosInSet, ariaSetSize } = people.at(-1), rest = ariaSetSize - ariaPosInSet, all = new URL(last.href);
    all.searchParams.delete('since');
    const link = make('a', { className: 'rest', href: all }, rest > 0 ? more(rest) : last.textContent);
    link.part = 'next';
    return link;
  }

  // Returns the scrolling ancestor, or the document.
  function scroller(node) {
    while ((node = node.assignedSlot || node.parentNode || node.host) && node != document.body) {
      if (!node.host && /auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    }
    return document;
  }

  // Returns the users of a fragment, after the link or end mark.
  async function fragment(url, signal) {
    const { children, ownerDocument } = await get(url, signal), items = [...children], last = items.pop();
    if (ownerDocument.URL != url || !last?.matches('a.next, p.end') || items.some(item => !item.matches('article'))) throw { status: 200 };
    if (last.href) last.dataset.fragment = new URL(last.dataset.fragment, url);
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

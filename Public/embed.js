// <rollcall-users src="/fragment">A link</rollcall-users> tells itself what sentinel.js tells #users.
(() => {
  customElements.define('rollcall-users', class extends HTMLElement {
    static observedAttributes = ['src'];
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
    const spinner = make('div', { id: 'spinner', role: 'status' }, 'Loading more users');
    const error = make('div', { id: 'error', role: 'alert' }, 'More users could not be loaded. ', make('button', { id: 'button' }, 'Try again'));
    // The slot, until users come.
    const more = make('div', { id: 'more' }, make('slot'), spinner, error);
    const life = new AbortController(), { signal } = life, root = scroller(host);
    // What is no address of the web leaves the slot.
    const link = make('a', { href: host.getAttribute('src') || 'x:' });
    let pages = 0, stalls = 0, height, flight, wake, url = /^http/.test(link.protocol) && link.href;

    // Jumped past, only one page: it may stay past.
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
      if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a, button') || !url) return;
      event.preventDefault();
      more.querySelector('a')?.focus({ preventScroll: true });
      wake ? wake() : load();
    });
    users.addEventListener('keydown', event => {
      const user = event.target.closest('article');
      const to = { PageDown: user.nextSibling, PageUp: user.previousSibling }[event.key];
      if (to) event.preventDefault();
      to?.focus();
    });

    shadow.replaceChildren(style, users, more, status);
    if (url) style.href = new URL('embed.css', url);
    show('idle');

    function stop() {
      flight?.abort();
      if (flight) show('idle');
    }

    function resume() {
      if (!document.hidden) wake ? wake() : error.hidden || show('idle');
    }

    function watch() {
      near.unobserve(more);
      near.observe(more);
    }

    function reach(entries) {
      const limit = navigator.connection?.saveData ? 1 : +host.dataset.autoPages || Infinity;
      if (!entries.at(-1).isIntersecting || pages >= limit || !error.hidden) return;
      if (height != (height = users.offsetHeight)) stalls = 0;
      if (stalls < 10) load();
    }

    async function load() {
      if (flight || !url || !tell('load', { url })) return;
      const { signal } = flight = new AbortController();
      show('loading');
      for (let pause = 1000; ; pause *= 2) {
        try {
          return append(await fragment(url, signal));
        } catch (error) {
          if (signal.aborted) return;
          const wait = Math.max(pause * (.5 + Math.random() / 2), error.wait || 0);
          if (pause > 4000 || wait > 60000) {
            show('error');
            return tell('error', { url, error });
          }
          await new Promise(done => setTimeout(wake = done, wait));
        }
      }
    }

    function append([last, ...items]) {
      const asked = shadow.activeElement?.matches('.next'), from = url;
      const fresh = items.filter(user => !shadow.getElementById(user.id)), end = fresh.at(-1);
      users.append(...fresh);
      more.firstChild.replaceWith(last);
      if (asked) fresh[0]?.focus({ preventScroll: true });
      pages++;
      stalls++;
      if (end) {
        users.role = 'feed';
        users.ariaLabel = host.ariaLabel || 'Users';
        const place = [end.ariaPosInSet, end.ariaSetSize].filter(n => n > 0);
        status.textContent = `${fresh.length} more, ${place.map(n => (+n).toLocaleString('en')).join(' of ')}`;
      }
      url = last.dataset.fragment;
      show(url ? 'idle' : 'end');
      tell('append', { url: from, users: fresh });
      if (!url) tell('end');
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
      return host.dispatchEvent(new CustomEvent('sentinel:' + name, { detail, bubbles: true, cancelable: name == 'load' }));
    }
  }

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    element.part = element.id;
    return element;
  }

  // The box that scrolls, or the window.
  function scroller(node) {
    while ((node = node.assignedSlot || node.parentNode || node.host) && node != document.body) {
      if (!node.host && /auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    }
    return document;
  }

  async function fragment(url, signal) {
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
    const { response } = request, after = request.getResponseHeader('Retry-After');
    const wait = after * 1000 || Date.parse(after) - Date.now();
    if (request.status != 200 || request.responseURL != url) throw { response, wait };
    const { body, links } = response;
    const items = [...body.children], last = items.pop();
    if (!last.matches('a.next, p.end') || items.some(user => !user.matches('article.user'))) throw items;
    for (const link of links) link.href = link.href;
    // Nothing that another origin brings runs in this page. (A form may hide its `attributes` behind fields of that name.)
    for (const node of body.querySelectorAll('*')) {
      if (node.matches('script, iframe, object, embed, meta, animate, set')) node.remove();
      for (const name of node.getAttributeNames()) {
        if (/^on|^[^=]+=javascript:/i.test(name + '=' + node.getAttribute(name).replace(/[\0- ]/g, ''))) node.removeAttribute(name);
      }
    }
    if (last.href) last.dataset.fragment = new URL(last.dataset.fragment, url);
    for (const item of body.querySelectorAll('[class], h2')) item.part = item.className || 'name';
    return [last, ...items];
  }
})();

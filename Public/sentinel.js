// Loads more users when the link to them comes near the window. Dispatches on #users: sentinel:load {url} (cancelable),
// :append {url, users}, :error {url, error}, :end.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), more = get('more'), spinner = get('spinner'), error = get('error');
  if (!spinner) return;

  const limit = navigator.connection?.saveData ? 0 : +users.dataset.autoPages || Infinity;
  // `failures` are elements whose load failed. They wait for a click, for the network, or for a successful load elsewhere.
  // `refusals` are errors by URL. A request that is itself wrong is not sent again.
  const button = error.lastElementChild, failures = new Set, refusals = {};
  const sentinel = users.sentinel = { pages: 0, limit, failures, hasFailed, load, say, stop, watch };
  let stalls = 0, height, flight, wake;

  // If the reader jumps past the link, only one page is loaded, because the link may stay above the window.
  const near = new IntersectionObserver(reach, { rootMargin: '0px 0px 100%' });
  new IntersectionObserver(reach, { rootMargin: '9999999px 0px -100%' }).observe(more);

  addEventListener('pageshow', watch);
  addEventListener('resize', watch);
  addEventListener('online', resume);
  addEventListener('visibilitychange', resume);
  addEventListener('pagehide', stop);
  more.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a, button')) return;
    event.preventDefault();
    error.hidden = true;
    more.querySelector('a').focus({ preventScroll: true });
    wake ? wake() : next();
  });

  function resume() {
    if (document.hidden || !error.hidden && button.hidden) return;
    failures.clear();
    wake ? wake() : error.hidden || show('idle');
  }

  function stop() {
    flight?.abort();
    if (flight) show('idle');
  }

  function watch() {
    near.unobserve(more);
    near.observe(more);
  }

  function reach(entries) {
    const footer = document.querySelector('footer:focus-within');
    if (!entries.at(-1).isIntersecting || sentinel.pages >= limit || footer && isInView(footer)) return;
    if (hasFailed(more)) return;
    if (height != (height = more.offsetTop)) stalls = 0;
    if (stalls < 10) next();
  }

  function hasFailed(place) {
    return [...failures].some(item => item.contains(place));
  }

  function next() {
    const link = more.querySelector('a');
    if (link) load(link.dataset.fragment, append);
  }

  function append(found, last) {
    const link = more.querySelector('a'), asked = link == document.activeElement;
    const items = found.filter(item => !get(item.id)), fresh = items.filter(item => item.matches('.user'));
    users.append(...items);
    link.replaceWith(last);
    if (asked) fresh[0]?.focus({ preventScroll: true });
    sentinel.pages++;
    stalls++;
    if (fresh[0]) sentinel.say('more', fresh.length, fresh.at(-1));
    return fresh;
  }

  // `insert` gets the users, the link or end mark (or what `read` returns instead) and the response, and returns the users that
  // it inserted. Spinner and error are shown in `place`, which does not wait while it is visible.
  async function load(url, insert, place = more, read = fragment) {
    const now = spinner.parentNode;
    if (flight && (place == now || !isInView(place) || isInView(now)) || !tell('load', { url })) return;
    flight?.abort();
    failures.delete(place);
    if (place != now) place.append(spinner, error);
    const { signal } = flight = new AbortController();
    show('loading');
    for (let pause = 1000; ; pause *= 2) {
      try {
        if (refusals[url]) throw refusals[url];
        const [page, response] = await answer(url, signal);
        const fresh = insert(...read(page), response), end = !more.querySelector('a');
        failures.clear();
        show(end ? 'end' : 'idle');
        tell('append', { url, users: fresh });
        return end && place == more && tell('end');
      } catch (error) {
        if (signal.aborted) return;
        const wait = Math.max(pause * (.5 + Math.random() / 2), error.wait || 0);
        if (error.isWrong || pause > 4000 || wait > 60000) {
          if (button.hidden = error.isWrong) refusals[url] = error;
          failures.add(place);
          show('error');
          return tell('error', { url, error });
        }
        await new Promise(done => setTimeout(wake = done, wait));
      }
    }
  }

  async function answer(url, signal) {
    const response = await fetch(url, {
      headers: { Accept: 'text/html' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(30000)]),
    });
    const { ok, status, headers } = response, after = headers.get('Retry-After');
    const page = /^text.html/.test(headers.get('Content-Type')) && new DOMParser().parseFromString(await response.text(), 'text/html');
    // A directory may have moved to another name; a page to sign in is no list.
    if (ok && page && response.url.includes(url.split('?')[0])) return [page, response];
    throw { response, page, wait: after * 1000 || Date.parse(after) - Date.now(), isWrong: /^4(?!08|29)/.test(status) };
  }

  function fragment({ body }) {
    const items = [...body.children], last = items.pop();
    if (!last?.matches('.next, .end') || items.some(user => !user.matches('article'))) throw body;
    return [items, last];
  }

  function show(state) {
    const busy = state == 'loading';
    wake = 0;
    if (!busy) {
      flight = null;
      watch();
    }
    users.dataset.state = state;
    users.ariaBusy = busy;
    spinner.hidden = !busy;
    error.hidden = state != 'error';
  }

  function isInView(element) {
    const { top, bottom } = element.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  // place.js replaces this by messages in the language of the page.
  function say(what, count, user) {
    const place = [user.ariaPosInSet, users.dataset.total].filter(Number);
    get('status').textContent = `${count} ${what}, ${place.map(n => (+n).toLocaleString('en')).join(' of ')}`;
  }

  function tell(name, detail) {
    return users.dispatchEvent(new CustomEvent('sentinel:' + name, { detail, bubbles: true, cancelable: name == 'load' }));
  }
})();

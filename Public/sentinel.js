// Loads more users as their link comes near. Tells #users: sentinel:load {url} (cancelable), :append {url, users},
// :error {url, error}, :end.
(() => {
  const get = id => document.getElementById(id);
  const users = get('users'), more = get('more'), spinner = get('spinner'), error = get('error');
  if (!spinner) return;

  const start = location.href;
  const limit = navigator.connection?.saveData ? 0 : +users.dataset.autoPages || Infinity;
  let pages = 0, stalls = 0, height, flight, wake, timer;

  // Once jumped past, only one page: it may stay past.
  const near = new IntersectionObserver(reach, { rootMargin: '0px 0px 100%' });
  new IntersectionObserver(reach, { rootMargin: '9999999px 0px -100%' }).observe(more);

  addEventListener('pageshow', watch);
  addEventListener('resize', watch);
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(keepPlace, 150);
  });
  addEventListener('online', () => wake ? wake() : error.hidden || load());
  addEventListener('pagehide', () => {
    flight?.abort();
    if (flight) show('idle');
  });
  more.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.matches('a, button')) return;
    event.preventDefault();
    more.querySelector('a').focus({ preventScroll: true });
    wake ? wake() : load();
  });

  history.scrollRestoration = 'manual';
  if (history.state) scrollBy(0, box(users.firstElementChild).top - history.state.top);

  function watch() {
    near.unobserve(more);
    near.observe(more);
  }

  function reach(entries) {
    const footer = document.querySelector('footer:focus-within');
    if (!entries.at(-1).isIntersecting || !error.hidden || pages >= limit) return;
    if (footer && box(footer).top < innerHeight) return;
    if (height != (height = users.offsetHeight)) stalls = 0;
    if (stalls < 10) load();
  }

  async function load() {
    const link = more.querySelector('a'), url = link?.dataset.fragment;
    if (flight || !url || !tell('load', { url })) return;
    const { signal } = flight = new AbortController();
    show('loading');
    for (let pause = 1000; !signal.aborted; pause *= 2) {
      try {
        return append(link, url, await fragment(url, signal));
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

  function append(link, url, [last, ...fresh]) {
    const asked = link == document.activeElement;
    users.append(...fresh);
    link.replaceWith(last);
    if (asked) fresh[0]?.focus({ preventScroll: true });
    pages++;
    stalls++;
    const place = [users.lastElementChild.ariaPosInSet, users.dataset.total].filter(Number);
    get('status').textContent = `${fresh.length} more, ${place.map(n => (+n).toLocaleString('en')).join(' of ')}`;
    show(last.href ? 'idle' : 'end');
    tell('append', { url, users: fresh });
    last.href ? watch() : tell('end');
  }

  function keepPlace() {
    watch();
    const url = new URL(start), first = [...users.children].find(user => box(user).bottom > 1);
    const before = first?.previousElementSibling?.dataset;
    if (before) {
      url.searchParams.delete('before');
      url.searchParams.set('since', before.cursor || before.id);
    }
    if (first) history.replaceState({ top: box(first).top }, '', url);
  }

  async function fragment(url, signal) {
    const response = await fetch(url, {
      headers: { Accept: 'text/html' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(30000)]),
    });
    const type = response.headers.get('Content-Type'), after = response.headers.get('Retry-After');
    const wait = after * 1000 || Date.parse(after) - Date.now();
    if (!response.ok || !type.startsWith('text/html')) throw { response, wait };
    const { body } = new DOMParser().parseFromString(await response.text(), 'text/html');
    const items = [...body.children], last = items.pop();
    if (!last.matches('.next, .end') || items.some(user => !user.matches('article.user'))) throw type;
    return [last, ...items.filter(user => !get(user.id))];
  }

  function show(state) {
    const busy = state == 'loading';
    if (!busy) flight = wake = 0;
    users.dataset.state = state;
    users.ariaBusy = busy;
    spinner.hidden = !busy;
    error.hidden = state != 'error';
  }

  function tell(name, detail) {
    return users.dispatchEvent(new CustomEvent('sentinel:' + name, { detail, bubbles: true, cancelable: name == 'load' }));
  }

  function box(element) {
    return element.getBoundingClientRect();
  }
})();

// Offers people whom an import has just added. The server joins place.js and this script to rest.js, which list.js loads after the
// page. Documentation/Development/Script.md explains how it works.
const get = id => document.getElementById(id);
const users = get('users'), more = get('more'), { sentinel } = users;
const button = Object.assign(document.createElement('a'), { className: 'button fresh' });
const minute = 60000;
// `total` and `generation`: of the list that the page shows. `people`: the last event. `asked`: the event after which the
// end of the list was asked for them. `added`: how many of them stand there.
let generation, total, people, asked, added, source, timer;

// Below the bar; nothing moves. The rules come with this script, because a first visit needs none.
const rules = [
  '.fresh { position: fixed; z-index: 2; top: 7.75rem; inset-inline: 0; width: fit-content; margin: auto; border-radius: 2rem;'
    + ' border-color: var(--accent); background: var(--accent); color: var(--on-accent, var(--paper)); box-shadow: 0 .25rem 1rem #0004 }',
  '@media (min-width: 48rem) { .fresh { top: 4.5rem } }',
  '@media print { .fresh { display: none } }',
];
const [sheet] = document.styleSheets;
for (const rule of rules) sheet?.insertRule(rule, sheet.cssRules.length);
addEventListener('visibilitychange', connect);
addEventListener('pageshow', connect);
addEventListener('online', connect);
addEventListener('pagehide', disconnect);
users.addEventListener('sentinel:append', ({ detail }) => {
  if (!people) return;
  if (asked && detail.users.length && detail.users.at(-1) == [...users.querySelectorAll('.user')].at(-1)) added += detail.users.length;
  offer();
});
// Another list is shown in place.
new MutationObserver(begin).observe(users, { attributeFilter: ['data-live'] });
begin();

function begin() {
  generation = users.dataset.live;
  total = users.dataset.total;
  people = asked = null;
  added = 0;
  button.remove();
  disconnect();
  connect();
}

// A browser has one stream at most: that of the tab in view.
function connect() {
  if (document.hidden || !generation) return disconnect();
  if (source || timer) return;
  if (!window.EventSource) return poll();
  const stream = source = new EventSource(address('events'));
  // A proxy may hold back even the head.
  timer = setTimeout(fail, minute / 3);
  stream.onopen = () => clearTimeout(timer);
  stream.addEventListener('people', ({ data }) => tell(JSON.parse(data)));
  // The browser connects again unless the server has refused, or there is none at that address.
  stream.onerror = () => stream.readyState == EventSource.CLOSED && stream == source && fail();
}

function disconnect() {
  source?.close();
  clearTimeout(timer);
  source = timer = null;
}

function fail() {
  disconnect();
  wait();
}

function wait() {
  timer = setTimeout(poll, minute * (.75 + Math.random() / 2));
}

// The answer has a validator, so the browser gets 304 while nothing has changed.
async function poll() {
  timer = true;
  const asked = generation;
  try {
    const response = await fetch(address('events.json'));
    if (asked != generation) return;
    if (response.ok) tell(await response.json());
    // Without events on this server, there is nothing to wait for.
    else if (response.status == 404) return;
  } catch {}
  if (timer === true) wait();
}

function address(name) {
  const url = new URL(name, import.meta.url), { searchParams } = new URL(location);
  for (const key of ['since', 'before', 'at', 'letter', 'per_page', 'view', 'theme', 'lang']) searchParams.delete(key);
  searchParams.set('lang', document.documentElement.lang);
  searchParams.set('seen', generation);
  if (total) searchParams.set('seen_total', total);
  return `${url.pathname}?${searchParams}`;
}

function tell(news) {
  const isNews = news.new > (people?.new || 0);
  if (news.new == (people?.new || 0)) return;
  people = news;
  offer();
  if (isNews && button.isConnected) get('status').textContent = button.textContent;
}

// At the end of the list, those who come after the last person are loaded like any others. A link offers the rest.
function offer() {
  const end = more.querySelector('.end'), all = [...users.querySelectorAll('.user')], last = all.at(-1);
  const count = people.new, gap = document.querySelector('.gap:not([hidden])');
  button.textContent = people.label || `${count} new people – show`;
  const isAtEnd = end && last && !(gap && users.compareDocumentPosition(gap) & 4);
  if (isAtEnd && count > added && asked != people) {
    asked = people;
    if (total) users.dataset.total = +total + count;
    end.replaceWith(next(last));
    sentinel.watch();
    if (isInView(more)) return;
  }
  if (count <= added) return button.remove();
  // In the order by id they are together, at its end. In other orders they are among the others, so the link leads to that order
  // from its end on: the latest ids come first. An empty list has nobody but them.
  const isByID = last && !last.dataset.cursor && +all[0].dataset.id < +last.dataset.id;
  const { since, before } = people;
  button.href = page(!last ? {} : !isByID ? { sort: '-id', since: before } : since ? { since } : { before: '' });
  if (!button.isConnected) document.body.append(button);
}

function next(last) {
  const since = last.dataset.cursor || last.dataset.id, link = document.createElement('a');
  const fragment = new URL('fragment', import.meta.url);
  fragment.search = new URL(page({ since, per_page: 30 }), location).search;
  Object.assign(link, { className: 'next', rel: 'next', href: page({ since }), textContent: button.textContent });
  link.dataset.fragment = fragment.pathname + fragment.search;
  return link;
}

// The address of the list from another place on.
function page(parameters) {
  const { pathname, searchParams } = new URL(location);
  for (const name of ['since', 'before', 'at', 'letter', 'per_page']) searchParams.delete(name);
  if (parameters.sort) searchParams.delete('order');
  for (const name in parameters) if (parameters[name] != null) searchParams.set(name, parameters[name]);
  return pathname + (searchParams.size ? '?' + searchParams : '');
}

function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

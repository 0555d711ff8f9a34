// While `rollcall FILE` shows a file: loads the page again when the file has changed, and keeps what the reader has typed. The
// address names the person in view, so that the page comes back to it.
(() => {
  const script = document.currentScript, { hash } = new URL(script.src), key = 'rollcall-typed';
  const inputs = () => [...document.querySelectorAll('input[name], textarea[name]')].filter(({ type }) => /^(text|search)/.test(type));
  let stream;

  function keep() {
    const typed = inputs().map(({ name, value, selectionStart, selectionEnd }) => [name, value, selectionStart, selectionEnd]);
    sessionStorage.setItem(key, JSON.stringify({ typed, focus: document.activeElement?.name }));
    location.reload();
  }

  function connect() {
    stream?.close();
    stream = null;
    // A browser has six connections to a server: pages in the background need none.
    if (document.hidden) return;
    stream = new EventSource(new URL(`events?${hash.slice(1)}`, script.src));
    stream.addEventListener('reload', keep);
  }

  const kept = JSON.parse(sessionStorage.getItem(key));
  sessionStorage.removeItem(key);
  for (const [name, value, ...selection] of kept?.typed || []) {
    const input = inputs().find(input => input.name == name);
    if (!input) continue;
    input.value = value;
    if (name != kept.focus) continue;
    input.focus({ preventScroll: true });
    // Else the next letter would be the first one.
    input.setSelectionRange(...selection);
  }
  addEventListener('visibilitychange', connect);
  addEventListener('pagehide', () => stream?.close());
  connect();
})();

// Prints the whole list as it is chosen, with people who are not loaded yet: at most 2,000. find.js loads this script when the
// reader asks for it, and says on paper how many of how many these are.
const most = 2000, page = 100;

// `button` shows how far the list has come.
export async function printAll(button) {
  const users = document.getElementById('users'), { address, word } = users.sentinel;
  const pattern = document.querySelector('main [data-fragment]')?.dataset.fragment, { value } = button;
  const whole = users.cloneNode(), total = Math.min(users.dataset.total || most, most);
  // One of the two lists is on the screen, the other one on paper.
  whole.className = 'whole';
  whole.removeAttribute('style');
  button.disabled = true;
  try {
    for (let url = pattern && address(pattern, { per_page: page }); url && whole.children.length < most;) {
      const people = await fragment(url), last = people.pop();
      whole.append(...people);
      url = last.dataset.fragment;
      button.value = word('of', '{at} of {total}', { at: whole.children.length, total });
    }
  } catch {
    // Then those who have come are printed, and the count says how many they are.
  }
  if (whole.children.length) users.after(whole);
  await pictures(whole);
  button.disabled = false;
  button.value = value;
  button.closest('details').open = false;
  addEventListener('afterprint', () => whole.remove(), { once: true });
  print();
}

// Tries twice more: a busy server says after how many seconds.
async function fragment(url) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => {});
    if (response?.ok) return [...new DOMParser().parseFromString(await response.text(), 'text/html').body.children];
    if (tries == 3) throw response;
    await pause(1000 * Math.min(response?.headers.get('Retry-After') || tries, 10));
  }
}

// Waits for the pictures, ten seconds at most.
function pictures(whole) {
  const all = document.documentElement.matches('.pictures') ? [...whole.querySelectorAll('img')] : [];
  for (const picture of all) picture.loading = 'eager';
  return Promise.race([Promise.allSettled(all.map(picture => picture.decode())), pause(10000)]);
}

function pause(time) {
  return new Promise(done => setTimeout(done, time));
}

// On a person's page: the link back leads to the list as the reader left it, with its filters, order and place, to the page that
// the reader came from. From anywhere else, and without this script, it leads to this person in the order of the neighbours.
// Copies the link to this page, without what the reader searched for. Left and right arrow lead to the neighbours.
(() => {
  const get = selector => document.querySelector(selector), back = get('.person > .crumb'), copy = get('#copy');
  if (!back) return;

  const list = document.referrer && new URL(document.referrer);
  if (list && list.origin == location.origin && list.pathname == back.pathname) {
    // In a frame the list has no header and no form.
    list.searchParams.delete('embed');
    back.href = list;
  }

  if (copy && navigator.clipboard) {
    const { textContent } = copy;
    copy.hidden = false;
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(address());
      copy.textContent = copy.dataset.done;
      setTimeout(() => copy.textContent = textContent, 2000);
    });
  }

  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (event.target.closest?.('input, select, textarea, details, dialog, [contenteditable]')) return;
    // A page that is wider than the window scrolls by these keys.
    if (document.scrollingElement.scrollWidth > innerWidth) return;
    const isLeft = event.key == 'ArrowLeft', isRight = event.key == 'ArrowRight';
    if (!isLeft && !isRight) return;
    get(isLeft == (document.dir != 'rtl') ? '.pair [rel=prev]' : '.pair [rel=next]')?.click();
  });

  function address() {
    const url = new URL(location);
    for (const name of [...url.searchParams.keys()]) /^(directory|id)$/.test(name) || url.searchParams.delete(name);
    url.hash = '';
    return url.href;
  }
})();

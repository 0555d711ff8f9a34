// Makes the link back to the list lead to the list as the reader left it: with what was sought and chosen, in that order. The
// address is that of the page they came from; from anywhere else, and without script, it leads to this person in the order by id.
(() => {
  const link = document.querySelector('.person > p > .prev');
  if (!link || !document.referrer) return;
  const list = new URL(document.referrer);
  if (list.origin != location.origin || list.pathname != link.pathname) return;
  // In a frame the list had neither header nor form.
  list.searchParams.delete('embed');
  link.href = list;
})();

// Makes the link back lead to the list as the reader left it, with its search, filters and order: to the page that the reader
// came from. From anywhere else, and without this script, it leads to this user in the order by id.
(() => {
  const link = document.querySelector('.person > p > .prev');
  if (!link || !document.referrer) return;
  const list = new URL(document.referrer);
  if (list.origin != location.origin || list.pathname != link.pathname) return;
  // In a frame the list has no header and no form.
  list.searchParams.delete('embed');
  link.href = list;
})();

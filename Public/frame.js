// In a frame: tells the page around it how tall this one is, at first and whenever that changes.
(() => {
  const page = document.documentElement, status = document.getElementById('status');
  let told;

  // At its place after the list, what only screen readers see is a pixel to scroll.
  if (status) status.style.top = 0;

  // What the page itself takes, whatever the frame has: a frame made so tall, or taller, changes nothing here.
  new ResizeObserver(() => {
    const height = Math.ceil(page.getBoundingClientRect().height);
    if (height != told) parent.postMessage({ type: 'rollcall:height', height: told = height }, '*');
  }).observe(page);
})();

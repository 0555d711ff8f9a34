// In a frame: reports the height of this page to the page around it, at first and after each change.
(() => {
  const page = document.documentElement, status = document.getElementById('status');
  let told;

  // After the list, the text for screen readers would add a pixel to scroll.
  if (status) status.style.top = 0;

  // The height of the content, not of the frame: a frame of this height or more changes nothing here.
  new ResizeObserver(() => {
    const height = Math.ceil(page.getBoundingClientRect().height);
    if (height != told) parent.postMessage({ type: 'rollcall:height', height: told = height }, '*');
  }).observe(page);
})();

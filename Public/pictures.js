// Tries pictures that could not be loaded again. The server joins this script to rest.js and person.js.
(() => {
  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => later(target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) later(picture);

  // Tries three times, after pauses that grow.
  function later(picture) {
    if (!picture.matches?.('.avatar img')) return;
    const pause = [2000, 8000, 32000][picture.tries = picture.tries + 1 || 0];
    if (pause) setTimeout(() => picture.src = picture.src, pause * (1 + Math.random() / 2));
  }
})();

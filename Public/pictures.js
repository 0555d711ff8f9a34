// Tries pictures that could not be loaded three times again, after pauses that grow. list.js and bar.js load it.
(() => {
  const pauses = [2, 8, 32], tries = new WeakMap();
  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => later(target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) later(picture);

  function later(picture) {
    const count = tries.get(picture) || 0, pause = pauses[count] * (1 + Math.random() / 2);
    if (!pause || !picture.matches?.('.avatar img')) return;
    tries.set(picture, count + 1);
    setTimeout(() => picture.src = picture.src, pause * 1000);
  }
})();

// Makes frames of class "rollcall" that show `embed=fit` as tall as their lists, which report their height at first, after a change,
// and when they are asked. On paper, frames that scroll are as tall, too.
(() => {
  const frames = () => [...document.querySelectorAll('iframe.rollcall')], told = new Map, own = new Map;
  addEventListener('message', ({ data, origin, source }) => {
    for (const frame of frames()) {
      if (data?.type != 'rollcall:height' || source != frame.contentWindow || origin != new URL(frame.src).origin) continue;
      if (/embed=fit/.test(frame.src)) frame.height = data.height;
      else told.set(frame, data.height);
    }
  });
  addEventListener('beforeprint', () => told.forEach((height, frame) => {
    own.set(frame, frame.height);
    frame.height = height;
  }));
  addEventListener('afterprint', () => own.forEach((height, frame) => frame.height = height));
  // They may have reported before this script came.
  for (const frame of frames()) frame.contentWindow.postMessage({ type: 'rollcall:height' }, '*');
})();

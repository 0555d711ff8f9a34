// Makes frames of class "rollcall" as tall as their lists, which report their height.
addEventListener('message', ({ data, origin, source }) => {
  for (const frame of document.querySelectorAll('iframe.rollcall')) {
    if (data?.type == 'rollcall:height' && source == frame.contentWindow && origin == new URL(frame.src).origin) frame.height = data.height;
  }
});

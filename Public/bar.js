// On every page except the list: keeps the theme that the reader chose, closes menus, and loads the scripts of the keys and of
// pictures after the page.
(() => {
  const { keys, pictures } = document.currentScript.dataset, radios = [...document.querySelectorAll('#find [name=theme]')];

  // Storage may be forbidden.
  try {
    const chosen = radios.find(radio => radio.value && radio.value == localStorage.theme);
    if (chosen) chosen.checked = true;
  } catch {}
  for (const radio of radios) radio.onchange = () => {
    try {
      localStorage.theme = radio.value;
    } catch {}
  };
  addEventListener('keydown', event => {
    const menu = event.key == 'Escape' && document.querySelector('details.menu[open]');
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  addEventListener('load', () => {
    for (const script of [keys, pictures]) import(script).catch(() => {});
  });
})();

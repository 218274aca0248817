// Sets the colour scheme before the first paint. A file of its own: the content security policy allows no inline script.
(function () {
  var kept = null
  try {
    kept = localStorage.getItem('nzbdav.scheme')
  } catch (e) {
    // Storage is off: the system decides.
  }
  var dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()

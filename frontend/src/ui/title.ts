let page = ''
let prefix = ''

function write(): void {
  const name = page === '' ? 'NzbDav' : `${page} - NzbDav`
  document.title = prefix === '' ? name : `${prefix} · ${name}`
}

/** Names the page in the browser's tab. */
export function setPageTitle(title: string): void {
  page = title
  write()
}

/** Puts something before it that is true of the whole, such as the rate; '' takes it away. */
export function setTitlePrefix(text: string): void {
  prefix = text
  write()
}

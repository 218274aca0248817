const path = (base: string | null | undefined) => {
  const bare = (base ?? '').replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `/${bare}`
}

/** Where the page lies once the URL base has changed from `before` to `after`; null: it stays where it is, or a proxy has put it elsewhere. */
export function moved(here: URL, root: URL, before: string | null | undefined, after: string | null | undefined): string | null {
  const [old, next] = [path(before), path(after)]
  if (old === next || !root.pathname.endsWith(`${old}/`)) return null
  const prefix = root.pathname.slice(0, root.pathname.length - old.length - 1)
  return new URL(`${prefix}${next}/${here.pathname.slice(root.pathname.length)}${here.search}`, root).href
}

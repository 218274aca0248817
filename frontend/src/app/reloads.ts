const Key = 'nzbdav.reloaded'

/** True once for each file that the server no longer has: a file that is still missing after a reload is no reason for another one. */
export function isFirstReload(url: string, storage: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  const known = storage.getItem(Key)?.split('\n') ?? []
  if (known.includes(url)) return false
  storage.setItem(Key, [...known, url].join('\n'))
  return true
}

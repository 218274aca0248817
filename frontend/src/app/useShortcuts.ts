import { useEffect, useEffectEvent } from 'react'

/** What stands over the page by a key. */
export type Overlay = 'search' | 'keys'

/** What a key pressed outside of fields asks for: the page's own search, the search over all, the list of keys. */
export function wanted(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): 'field' | Overlay | null {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return 'search'
  const target = event.target instanceof Element ? event.target : null
  if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, [contenteditable], [role=dialog]')) return null
  return event.key === '/' ? 'field' : event.key === '?' ? 'keys' : null
}

/** Keys that work everywhere. */
export function useShortcuts(open: (overlay: Overlay) => void): void {
  const take = useEffectEvent((event: KeyboardEvent) => {
    const what = event.defaultPrevented ? null : wanted(event)
    if (what === null) return
    event.preventDefault()
    const field = what === 'field' ? document.querySelector<HTMLInputElement>('main input[type=search]') : null
    if (field !== null) field.select()
    else open(what === 'field' ? 'search' : what)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => take(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

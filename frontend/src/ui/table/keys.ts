type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>

/** Where a key moves the focus to, from row `at` of `count`; null: the key does not move it. `page`: rows on the screen. */
export function moved({ key, altKey, ctrlKey, metaKey }: Pressed, at: number, count: number, page: number): number | null {
  if (altKey || count === 0) return null
  const to = target(key, at, count, Math.max(1, page - 1), ctrlKey || metaKey)
  return to === null ? null : Math.min(count - 1, Math.max(0, to))
}

function target(key: string, at: number, count: number, page: number, far: boolean): number | null {
  switch (key) {
    case 'ArrowDown': return far ? count - 1 : at + 1
    case 'ArrowUp': return far ? 0 : at - 1
    case 'PageDown': return at + page
    case 'PageUp': return at - page
    case 'Home': return 0
    case 'End': return count - 1
    default: return null
  }
}

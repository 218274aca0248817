import { useCallback, useState } from 'react'

const Key = 'nzbdav.autoplay'

/** Whether the next file begins by itself at the end of one: kept for this browser; on until it is switched off. */
export function useAutoplay(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(isOn)
  const keep = useCallback((next: boolean) => {
    setOn(next)
    try {
      if (next) localStorage.removeItem(Key)
      else localStorage.setItem(Key, 'off')
    } catch {
      // Storage is off: it holds for this file.
    }
  }, [])
  return [on, keep]
}

function isOn(): boolean {
  try {
    return localStorage.getItem(Key) !== 'off'
  } catch {
    return true
  }
}

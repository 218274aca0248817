import { useEffect, useState, type RefObject } from 'react'

/** True while an element fills the screen. */
export function useFull(element: RefObject<HTMLElement | null>): boolean {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const take = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === element.current)
    document.addEventListener('fullscreenchange', take)
    return () => document.removeEventListener('fullscreenchange', take)
  }, [element])
  return full
}

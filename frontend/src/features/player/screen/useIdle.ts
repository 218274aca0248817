import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds without a movement after which the controls go. */
const Patience = 3000

/** True when nobody has moved for three seconds. `stir` is what every movement calls. */
export function useIdle(): { idle: boolean; stir: () => void } {
  const [idle, setIdle] = useState(false)
  const timer = useRef<number | undefined>(undefined)
  const stir = useCallback(() => {
    setIdle(false)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setIdle(true), Patience)
  }, [])
  useEffect(() => {
    timer.current = window.setTimeout(() => setIdle(true), Patience)
    return () => clearTimeout(timer.current)
  }, [])
  return { idle, stir }
}

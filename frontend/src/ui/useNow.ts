import { useEffect, useState } from 'react'

/** The time in milliseconds, anew every `every` milliseconds while the page is visible: for "5 minutes ago". */
export function useNow(every = 15_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, every)
    return () => clearInterval(timer)
  }, [every])
  return now
}

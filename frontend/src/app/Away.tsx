import { useEffect, useState } from 'react'
import { useConnection } from '~/api/LiveProvider'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Says that the server does not answer, with the time to the next attempt; nothing while it does. */
export function Away() {
  const t = useText(text)
  const connection = useConnection()
  const [now, setNow] = useState(() => Date.now())
  const away = connection.state === 'away'
  useEffect(() => {
    if (!away) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [away])
  // A restart takes a second or two: not worth a word.
  if (!away || now - connection.since < 2500) return <span role="status" />
  return <span role="status">{t.away(Math.max(0, Math.ceil((connection.next - now) / 1000)))}</span>
}

import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useConnection, useIsOutdated, useRetry } from '~/api/LiveProvider'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import classes from './Shell.module.css'
import { text } from './text'

/** A restart takes a second or two: not worth a word. */
const Patience = 2500

/** What is true of the whole page: that the server does not answer, with the time to the next attempt; that it runs another version now. */
export function Notices() {
  const t = useText(text)
  const outdated = useIsOutdated()
  return (
    <div role="status">
      <Away />
      {outdated && <div className={classes.notice}><span>{t.outdated}</span><Button size="compact-sm" onClick={() => location.reload()}>{t.reload}</Button></div>}
    </div>
  )
}

function Away() {
  const t = useText(text)
  const format = useFormat()
  const connection = useConnection()
  const retry = useRetry()
  const [now, setNow] = useState(() => Date.now())
  const away = connection.state === 'away'
  useEffect(() => {
    if (!away) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [away])
  if (!away || now - connection.since < Patience) return null
  return (
    <div className={classes.notice} data-bad>
      {/* The countdown is not read out each second. */}
      <span><span aria-hidden>{t.away(Math.max(0, Math.ceil((connection.next - now) / 1000)))}</span><span className="visually-hidden">{t.away(0)}</span> {t.awaySince(format.dateTime(new Date(connection.since).toISOString()))}</span>
      <Button size="compact-sm" variant="default" onClick={retry}>{t.tryNow}</Button>
    </div>
  )
}

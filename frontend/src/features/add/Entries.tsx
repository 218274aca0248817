import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ReleaseName } from '~/ui/ReleaseName'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import classes from './add.module.css'
import type { Entry } from './entries'
import { text } from './text'

const shown = { sending: 'importing', queued: 'done', duplicate: 'waiting', failed: 'failed' } as const

/** What became of each thing that was added. */
export function Entries({ list, onAgain }: { list: readonly Entry[]; onAgain: (id: number) => void }) {
  const t = useText(text)
  return (
    <ul className={classes.list} aria-label={t.list}>
      {[...list].reverse().map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <span className={classes.name}>
            {entry.jobId === null ? <ReleaseName name={entry.name} /> : <Link to="/jobs" search={{ job: entry.jobId }} className={classes.link}><ReleaseName name={entry.name} /></Link>}
          </span>
          <StateBadge state={shown[entry.state]}>{t[entry.state]}</StateBadge>
          {entry.error !== null && <span className={classes.error}>{entry.error} {entry.canRetry && <Button size="compact-xs" variant="default" aria-label={t.retryOf(entry.name)} onClick={() => onAgain(entry.id)}>{t.retry}</Button>}</span>}
          {entry.state === 'sending' && <progress className={classes.progress} value={entry.progress} aria-label={entry.name} />}
        </li>
      ))}
    </ul>
  )
}

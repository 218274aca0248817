import { Link } from '@tanstack/react-router'
import { MiddleName } from '~/ui/MiddleName'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import classes from './add.module.css'
import type { Entry } from './entries'
import { text } from './text'

const shown = { sending: 'importing', queued: 'done', duplicate: 'waiting', failed: 'failed' } as const

/** What became of each thing that was added. */
export function Entries({ list }: { list: readonly Entry[] }) {
  const t = useText(text)
  return (
    <ul className={classes.list} aria-label={t.list}>
      {[...list].reverse().map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <span className={classes.name}>
            {entry.jobId === null ? <MiddleName name={entry.name} /> : <Link to="/jobs" search={{ job: entry.jobId }} className={classes.link}><MiddleName name={entry.name} /></Link>}
          </span>
          <StateBadge state={shown[entry.state]}>{t[entry.state]}</StateBadge>
          {entry.error !== null && <span className={classes.error}>{entry.error}</span>}
          {entry.state === 'sending' && <progress className={classes.progress} value={entry.progress} aria-label={entry.name} />}
        </li>
      ))}
    </ul>
  )
}

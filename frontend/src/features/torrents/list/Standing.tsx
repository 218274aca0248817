import type { Torrent } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge, type Shown } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'
import { standing, type Standing as Kind } from './torrents'

const shown: Record<Kind, Shown> = { metadata: 'waiting', flows: 'importing', reads: 'streaming', idle: 'done', stands: 'waiting', closed: 'paused', seeds: 'streaming', queued: 'queued', stopped: 'paused', checking: 'importing', moving: 'importing', missing: 'failed', failed: 'failed' }

/** How a torrent stands, by sign and word. */
export function Standing({ torrent }: { torrent: Torrent }) {
  const t = useText(text)
  const kind = standing(torrent)
  return <StateBadge state={shown[kind]}>{t.states[kind]}</StateBadge>
}

/** How a torrent stands, on one line with why and what else there is to say of it. */
export function StandingLine({ torrent, figures = [] }: { torrent: Torrent; figures?: readonly string[] }) {
  const t = useText(text)
  const format = useFormat()
  const { reason, position, forced } = torrent
  const place = position !== null && standing(torrent) === 'queued' ? t.placeOf(format.number(position)) : null
  const notes = [...figures, place, forced ? t.forced : null, reason].filter((note) => note !== null && note !== '').join(' · ')
  return (
    <span className={classes.status}>
      <Standing torrent={torrent} />
      {notes !== '' && <span className={classes.note} title={reason ?? undefined}>{notes}</span>}
    </span>
  )
}

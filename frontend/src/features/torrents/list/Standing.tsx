import type { Torrent } from '~/api/types'
import { StateBadge, type Shown } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { standing, type Standing as Kind } from './torrents'

const shown: Record<Kind, Shown> = { metadata: 'waiting', flows: 'importing', reads: 'streaming', idle: 'done', stands: 'waiting', closed: 'paused', seeds: 'streaming', queued: 'queued', stopped: 'paused', checking: 'importing', moving: 'importing', missing: 'failed', failed: 'failed' }

/** How a torrent stands, by sign and word. */
export function Standing({ torrent }: { torrent: Torrent }) {
  const t = useText(text)
  const kind = standing(torrent)
  return <StateBadge state={shown[kind]}>{t.states[kind]}</StateBadge>
}

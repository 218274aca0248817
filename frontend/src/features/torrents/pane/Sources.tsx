import { Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { text } from '../text'
import classes from './pane.module.css'

type Source = TorrentDetails['trackers'][number]

const shown = { working: 'done', waiting: 'waiting', failed: 'failed', off: 'paused' } as const

/** Who tells of peers: trackers, then the other ways, each with what it said last. */
export function Sources({ trackers, sources }: { trackers: TorrentDetails['trackers']; sources: TorrentDetails['sources'] }) {
  const t = useText(text)
  const now = useNow()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.trackers}</Title>
      {trackers.length === 0 && <Text size="sm" c="dimmed">{t.noTrackers}</Text>}
      <ul className={classes.sources}>{[...trackers, ...sources].map((source, at) => <SourceLine key={at} source={source} now={now} />)}</ul>
    </Stack>
  )
}

function SourceLine({ source: { url, source, tier, protocol, state, message, peers, seeds, leechers, downloaded, next }, now }: { source: Source; now: number }) {
  const t = useText(text)
  const format = useFormat()
  const figures = [
    tier === null ? null : t.tier(tier + 1), protocol?.toUpperCase() ?? null, state !== 'working' && peers === 0 ? null : t.trackerPeers(peers),
    seeds === null ? null : t.swarmOf(seeds, leechers ?? 0), downloaded === null ? null : t.downloads(downloaded), next === null ? null : t.next(format.relative(next, now)),
  ].filter((part) => part !== null)
  return (
    <li>
      <StateBadge state={shown[state]}>{t.tracker[state]}</StateBadge>
      <div>
        {source === 'tracker' ? <span className="mono">{url}</span> : t.sourceNames[source] ?? url}
        {state !== 'off' && message !== null && <Text size="sm" c={state === 'failed' ? 'var(--nz-failed)' : undefined}>{message}</Text>}
        {state !== 'off' && figures.length > 0 && <Text size="sm" c="dimmed">{figures.join(' · ')}</Text>}
      </div>
    </li>
  )
}

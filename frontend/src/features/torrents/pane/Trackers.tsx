import { Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { text } from '../text'
import classes from './pane.module.css'

const shown = { working: 'done', waiting: 'waiting', failed: 'failed', off: 'paused' } as const

/** Who tells of peers, and what they said last. */
export function Trackers({ trackers, sources }: { trackers: TorrentDetails['trackers']; sources: TorrentDetails['sources'] }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.trackers}</Title>
      {trackers.length === 0 && <Text size="sm" c="dimmed">{t.noTrackers}</Text>}
      <ul className={classes.lines}>
        {[...trackers, ...sources].map(({ url, source, tier, protocol, state, message, peers, seeds, leechers, downloaded, next }, at) => (
          <li key={at}>
            <StateBadge state={shown[state]}>{t.tracker[state]}</StateBadge> {source === 'tracker' ? <span className="mono">{url}</span> : t.sourceNames[source] ?? url}
            {state !== 'off' && (
              <Text size="sm" c="dimmed">
                {[
                  tier === null ? null : t.tier(tier + 1), protocol?.toUpperCase() ?? null, t.trackerPeers(peers), seeds === null ? null : t.swarmOf(format.number(seeds), format.number(leechers ?? 0)),
                  downloaded === null ? null : t.downloads(format.number(downloaded)), message, next === null ? null : t.next(format.relative(next, now)),
                ].filter((part) => part !== null).join(' · ')}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  )
}

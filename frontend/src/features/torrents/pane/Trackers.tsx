import { Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { text } from '../text'
import classes from './pane.module.css'

const shown = { working: 'done', waiting: 'waiting', failed: 'failed' } as const

/** Who tells of peers, and what they said last. */
export function Trackers({ trackers }: { trackers: TorrentDetails['trackers'] }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.trackers}</Title>
      {trackers.length === 0 && <Text size="sm" c="dimmed">{t.noTrackers}</Text>}
      <ul className={classes.lines}>
        {trackers.map(({ url, state, message, peers, next }) => (
          <li key={url}>
            <StateBadge state={shown[state]}>{t.tracker[state]}</StateBadge> <span className="mono">{url}</span>
            <Text size="sm" c="dimmed">{[t.trackerPeers(peers), message, next === null ? null : t.next(format.relative(next, now))].filter((part) => part !== null).join(' · ')}</Text>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

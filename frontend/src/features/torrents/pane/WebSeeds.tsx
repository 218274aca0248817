import { Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './pane.module.css'

const shown = { active: 'done', spare: 'paused', waiting: 'waiting', dropped: 'failed' } as const

/** Web servers that have the files: what each is doing, and what came from it. */
export function WebSeeds({ seeds }: { seeds: TorrentDetails['webSeeds'] }) {
  const t = useText(text)
  const format = useFormat()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.webSeeds}</Title>
      <ul className={classes.sources}>
        {seeds.map(({ url, state, reason, downRate, downloaded }) => (
          <li key={url}>
            <StateBadge state={shown[state]}>{t.webSeed[state]}</StateBadge>
            <div>
              <span className="mono">{url}</span>
              {reason !== null && <Text size="sm" c={state === 'dropped' ? 'var(--nz-failed)' : undefined}>{reason}</Text>}
              {downloaded > 0 && <Text size="sm" c="dimmed">{[...(downRate > 0 ? [format.rate(downRate)] : []), format.size(downloaded)].join(' · ')}</Text>}
            </div>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

import { Progress, Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** How long a torrent is seeded, and how far that is. */
export function Share({ share }: { share: NonNullable<TorrentDetails['share']> }) {
  const t = useText(text)
  const format = useFormat()
  const minutes = (count: number) => format.duration(count * 60)
  const main = [
    ...(share.ratio === null ? [] : [t.shareRatio(format.number(share.ratio))]), ...(share.seedMinutes === null ? [] : [t.shareTime(minutes(share.seedMinutes))]),
  ].join(share.needsBoth ? t.shareBoth : t.shareEither)
  const limits = [main, share.idleMinutes === null ? '' : t.shareIdle(minutes(share.idleMinutes))].filter((part) => part !== '').join(t.shareEither)
  return (
    <Stack gap={4}>
      <Title order={3}>{t.share}</Title>
      <Text size="sm">{limits === '' ? t.shareForever : t.shareUntil(limits, t.then[share.atLimit])}</Text>
      {share.progress !== null && (
        <>
          <Progress value={share.progress * 100} aria-label={t.shareProgress} />
          <Text size="sm" c="dimmed">{t.shareProgress}: {format.percent(share.progress)}</Text>
        </>
      )}
    </Stack>
  )
}

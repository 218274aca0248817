import { Progress, Text } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { shownShare } from '../list/torrents'
import { text } from '../text'

/** Whether and why a torrent is kept, how long it is seeded, and how far that is. */
export function Share({ share, isPrivate }: { share: NonNullable<TorrentDetails['share']>; isPrivate: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const minutes = (count: number) => format.duration(count * 60)
  if (!share.keep) {
    return (
      <>
        <Text size="sm">{t.streamedOnly}</Text>
        {isPrivate && <Text size="sm" c="yellow">{t.privateLeaves}</Text>}
      </>
    )
  }
  const ratio = share.ratio === null ? null : t.shareRatio(format.number(share.ratio))
  const time = share.seedMinutes === null ? null : t.shareTime(minutes(share.seedMinutes))
  const idle = share.idleMinutes === null ? null : t.shareIdle(minutes(share.idleMinutes))
  const main = ratio !== null && time !== null && share.needsBoth ? [t.shareBoth(ratio, time)] : [ratio, time]
  const limits = [...main, idle].filter((limit) => limit !== null).join(t.shareEither)
  return (
    <>
      <Text size="sm" c="dimmed">{t.causes[share.cause]}</Text>
      <Text size="sm">{limits === '' ? t.shareForever : t.shareUntil(limits, t.then[share.atLimit])}</Text>
      {share.progress !== null && (
        <>
          <Progress value={share.progress * 100} aria-label={t.shareProgress} />
          <Text size="sm" c="dimmed">{t.shareReached(format.percent(shownShare(share.progress)))}</Text>
        </>
      )}
    </>
  )
}

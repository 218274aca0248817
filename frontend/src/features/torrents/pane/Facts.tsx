import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { FactList } from '~/ui/pane/FactList'
import { useText } from '~/ui/text/catalogue'
import { heldShare, shownShare } from '../list/torrents'
import { text } from '../text'

/** What is known of a torrent, as pairs. */
export function Facts({ torrent }: { torrent: TorrentDetails }) {
  const t = useText(text)
  const format = useFormat()
  const share = heldShare(torrent)
  const { times, limits } = torrent
  const limit = (bytes: number | null) => bytes === null ? t.unlimited : format.rate(bytes)
  const time = (value: string | null) => value !== null && <time dateTime={value}>{format.dateTime(value)}</time>
  const pairs: [string, ReactNode][] = [
    [t.facts.rates, torrent.state !== 'closed' && t.downUp(format.rate(torrent.downRate), format.rate(torrent.upRate))],
    [t.facts.limits, (limits.upRate !== null || limits.downRate !== null) && t.downUp(limit(limits.downRate), limit(limits.upRate))],
    [t.facts.size, torrent.size > 0 && format.size(torrent.size)],
    [t.facts.held, share !== null && format.percent(shownShare(share))],
    [t.facts.eta, torrent.eta !== null && format.duration(torrent.eta)],
    [t.facts.downloaded, torrent.downloaded > 0 && format.size(torrent.downloaded)],
    [t.facts.uploaded, torrent.uploaded > 0 && format.size(torrent.uploaded)],
    [t.facts.ratio, torrent.ratio !== null && format.ratio(torrent.ratio)],
    [t.facts.position, torrent.position !== null && format.number(torrent.position)],
    [t.facts.forced, torrent.forced && t.forcedFact],
    [t.facts.readers, torrent.readers > 0 && format.number(torrent.readers)],
    [t.facts.swarm, torrent.knownSeeds !== null && t.swarmOf(torrent.knownSeeds, torrent.knownLeechers ?? 0)],
    [t.facts.copies, torrent.copies > 0 && format.number(Math.round(torrent.copies * 100) / 100)],
    [t.facts.active, times !== null && times.activeSeconds >= 1 && format.duration(times.activeSeconds)],
    [t.facts.seeding, times !== null && times.seedingSeconds >= 1 && format.duration(times.seedingSeconds)],
    [t.facts.idle, times !== null && times.idleSeconds >= 60 && format.duration(times.idleSeconds)],
    [t.facts.added, times !== null && time(times.added)],
    [t.facts.completed, times !== null && time(times.completed)],
    [t.facts.lastActive, times !== null && time(times.lastActive)],
    [t.facts.category, torrent.category !== null && torrent.category !== '' && torrent.category],
    [t.facts.storage, torrent.phase !== null && (torrent.kept ? <>{t.kept}{torrent.folder !== null && <>: <span className="mono">{torrent.folder}</span></>}</> : t.cached)],
    [t.facts.private, torrent.private && t.yes],
    [t.facts.job, torrent.jobId !== null && <Anchor key="job" inherit renderRoot={(props) => <Link {...props} to="/jobs" search={{ job: torrent.jobId ?? undefined }} />}>{t.facts.openJob}</Anchor>],
    [t.facts.hash, <span key="hash" className="mono">{torrent.infoHash}</span>],
  ]
  return <FactList facts={pairs} />
}

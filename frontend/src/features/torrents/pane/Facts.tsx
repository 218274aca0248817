import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { FactList } from '~/ui/pane/FactList'
import { useText } from '~/ui/text/catalogue'
import { heldShare } from '../list/torrents'
import { text } from '../text'

/** What is known of a torrent, as pairs. */
export function Facts({ torrent }: { torrent: TorrentDetails }) {
  const t = useText(text)
  const format = useFormat()
  const share = heldShare(torrent)
  const { times } = torrent
  const pairs: [string, ReactNode][] = [
    [t.facts.size, torrent.size > 0 && format.size(torrent.size)],
    [t.facts.held, share !== null && format.percent(share)],
    [t.facts.downloaded, torrent.downloaded > 0 && format.size(torrent.downloaded)],
    [t.facts.uploaded, torrent.uploaded > 0 && format.size(torrent.uploaded)],
    [t.facts.ratio, torrent.ratio !== null && format.number(Math.round(torrent.ratio * 100) / 100)],
    [t.facts.category, torrent.category !== null && torrent.category !== '' && torrent.category],
    [t.facts.storage, torrent.phase !== null && (torrent.kept ? <>{t.kept}{torrent.folder !== null && <>: <span className="mono">{torrent.folder}</span></>}</> : t.cached)],
    [t.facts.position, torrent.position !== null && format.number(torrent.position)],
    [t.facts.eta, torrent.eta !== null && format.duration(torrent.eta)],
    [t.facts.swarm, torrent.knownSeeds !== null && t.swarmOf(format.number(torrent.knownSeeds), format.number(torrent.knownLeechers ?? 0))],
    [t.facts.copies, torrent.copies > 0 && format.number(Math.round(torrent.copies * 100) / 100)],
    [t.facts.active, times !== null && times.activeSeconds >= 1 && format.duration(times.activeSeconds)],
    [t.facts.seeding, times !== null && times.seedingSeconds >= 1 && format.duration(times.seedingSeconds)],
    [t.facts.completed, times !== null && times.completed !== null && format.dateTime(times.completed)],
    [t.facts.lastActive, times !== null && times.lastActive !== null && format.dateTime(times.lastActive)],
    [t.facts.readers, torrent.readers > 0 && format.number(torrent.readers)],
    [t.facts.private, torrent.private && t.yes],
    [t.facts.job, torrent.jobId !== null && <Anchor key="job" inherit renderRoot={(props) => <Link {...props} to="/jobs" search={{ job: torrent.jobId ?? undefined }} />}>{t.facts.openJob}</Anchor>],
    [t.facts.hash, <span key="hash" className="mono">{torrent.infoHash}</span>],
  ]
  return <FactList facts={pairs} />
}

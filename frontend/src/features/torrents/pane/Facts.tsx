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
  const pairs: [string, ReactNode][] = [
    [t.facts.size, torrent.size > 0 && format.size(torrent.size)],
    [t.facts.held, share !== null && format.percent(share)],
    [t.facts.downloaded, torrent.downloaded > 0 && format.size(torrent.downloaded)],
    [t.facts.uploaded, torrent.uploaded > 0 && format.size(torrent.uploaded)],
    [t.facts.readers, torrent.readers > 0 && format.number(torrent.readers)],
    [t.facts.private, torrent.private && t.yes],
    [t.facts.job, torrent.jobId !== null && <Anchor key="job" inherit renderRoot={(props) => <Link {...props} to="/jobs" search={{ job: torrent.jobId ?? undefined }} />}>{t.facts.openJob}</Anchor>],
    [t.facts.hash, <span key="hash" className="mono">{torrent.infoHash}</span>],
  ]
  return <FactList facts={pairs} />
}

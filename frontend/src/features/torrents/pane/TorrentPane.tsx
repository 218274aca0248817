import { Alert, Group, Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRights } from '~/api/session'
import { torrentDetails } from '~/api/torrents'
import { Pane } from '~/ui/pane/Pane'
import { useText } from '~/ui/text/catalogue'
import { Standing } from '../list/Standing'
import { text } from '../text'
import { Actions } from './Actions'
import { Facts } from './Facts'
import { Files } from './Files'
import { Limits } from './Limits'
import { Peers } from './Peers'
import { Pieces } from './Pieces'
import { PolicyForm } from './PolicyForm'
import { Share } from './Share'
import { Trackers } from './Trackers'

/** One torrent: pieces, peers, trackers, files, limits. */
export function TorrentPane({ hash, onClose }: { hash: string; onClose: () => void }) {
  const t = useText(text)
  const may = useRights()
  const query = useQuery(torrentDetails(hash))
  const torrent = query.data
  return (
    <Pane title={torrent?.name ?? hash} query={query} onClose={onClose}>
      {torrent !== undefined && (
        <>
          <Group><Standing torrent={torrent} /></Group>
          {torrent.reason !== null && <Alert variant="light" color="yellow" icon={<IconClock aria-hidden />}>{torrent.reason}</Alert>}
          {torrent.state === 'closed' ? <Text c="dimmed">{t.closedHint}</Text> : <Pieces torrent={torrent} />}
          {may('change') && torrent.phase !== null && <Actions torrent={torrent} />}
          <Facts torrent={torrent} />
          {torrent.share !== null && <Share share={torrent.share} />}
          {may('change') && torrent.share !== null && <PolicyForm hash={hash} own={torrent.share.own} />}
          {torrent.state !== 'closed' && <Peers peers={torrent.peersList} />}
          {torrent.state !== 'closed' && <Trackers trackers={torrent.trackers} sources={torrent.sources} />}
          {torrent.files.length > 0 && <Files hash={hash} files={torrent.files} kept={torrent.kept} />}
          {may('change') && torrent.state !== 'closed' && <Limits hash={hash} upRate={torrent.limits.upRate} downRate={torrent.limits.downRate} />}
        </>
      )}
    </Pane>
  )
}

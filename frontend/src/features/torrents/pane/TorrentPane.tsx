import { Alert, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRights } from '~/api/session'
import { torrentDetails } from '~/api/torrents'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { Standing } from '../list/Standing'
import { text } from '../text'
import { Facts } from './Facts'
import { Files } from './Files'
import { Limits } from './Limits'
import { Peers } from './Peers'
import { Pieces } from './Pieces'
import { Trackers } from './Trackers'

/** One torrent: pieces, peers, trackers, files, limits. */
export function TorrentPane({ hash, onClose }: { hash: string; onClose: () => void }) {
  const t = useText(text)
  const may = useRights()
  const { data: torrent, error, refetch } = useQuery(torrentDetails(hash))
  const opener = useRef(document.activeElement)
  useEffect(() => {
    const back = opener.current
    return () => {
      // Not when another row was chosen meanwhile: the focus is there.
      if (document.activeElement === document.body && back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])
  return (
    <Stack gap="md" onKeyDown={(event) => { if (event.key === 'Escape') onClose() }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>{torrent?.name ?? hash}</Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {torrent === undefined && error === null && <Loading rows={6} />}
      {torrent !== undefined && (
        <>
          <Group><Standing torrent={torrent} /></Group>
          {torrent.reason !== null && <Alert variant="light" color="yellow" icon={<IconClock aria-hidden />}>{torrent.reason}</Alert>}
          {torrent.state === 'closed' ? <Text c="dimmed">{t.closedHint}</Text> : <Pieces torrent={torrent} />}
          <Facts torrent={torrent} />
          {torrent.state !== 'closed' && <Peers peers={torrent.peersList} />}
          {torrent.state !== 'closed' && <Trackers trackers={torrent.trackers} />}
          {torrent.files.length > 0 && <Files files={torrent.files} />}
          {may('change') && torrent.state !== 'closed' && <Limits hash={hash} upRate={torrent.limits.upRate} downRate={torrent.limits.downRate} />}
        </>
      )}
    </Stack>
  )
}

import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertOctagon, IconClock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '~/api/live'
import { useRights } from '~/api/session'
import { torrentDetails } from '~/api/torrents'
import type { Torrent } from '~/api/types'
import { Pane } from '~/ui/pane/Pane'
import { useText } from '~/ui/text/catalogue'
import { Standing } from '../list/Standing'
import { standing } from '../list/torrents'
import { text } from '../text'
import { Actions } from './Actions'
import { Facts } from './Facts'
import { Files } from './Files'
import { Limits } from './Limits'
import { Peers } from './Peers'
import { Pieces } from './Pieces'
import { PolicyForm } from './PolicyForm'
import { Share } from './Share'
import { Sources } from './Sources'
import { WebSeeds } from './WebSeeds'

/** One torrent: how it stands, pieces, totals, peers and where they come from, files, how long it is seeded, limits. */
export function TorrentPane({ hash, onClose }: { hash: string; onClose: () => void }) {
  const t = useText(text)
  const mayChange = useRights()('change')
  const query = useQuery(torrentDetails(hash))
  const torrent = query.data
  const listed = useQueryClient().getQueryData<{ torrents: Torrent[] }>(keys.torrents)?.torrents.find(({ infoHash }) => infoHash === hash)
  const name = torrent?.name ?? listed?.name ?? ''
  return (
    <Pane title={name === '' ? hash : name} query={query} onClose={onClose}>
      {torrent !== undefined && (
        <>
          <Group gap="xs" align="center"><Standing torrent={torrent} /></Group>
          <Why torrent={torrent} />
          {mayChange && torrent.phase !== null && <Actions torrent={torrent} />}
          {torrent.state !== 'closed' && <Pieces torrent={torrent} />}
          <Facts torrent={torrent} />
          {torrent.state !== 'closed' && <Peers peers={torrent.peersList} />}
          {torrent.state !== 'closed' && <Sources trackers={torrent.trackers} sources={torrent.sources} />}
          {torrent.webSeeds.length > 0 && <WebSeeds seeds={torrent.webSeeds} />}
          {torrent.files.length > 0 && <Files hash={hash} files={torrent.files} kept={torrent.kept} />}
          {torrent.share !== null && (
            <Stack gap={8}>
              <Title order={3}>{t.share}</Title>
              <Share share={torrent.share} isPrivate={torrent.private} />
              {mayChange && <PolicyForm hash={hash} own={torrent.share.own} />}
            </Stack>
          )}
          {mayChange && <Limits hash={hash} upRate={torrent.limits.upRate} downRate={torrent.limits.downRate} />}
        </>
      )}
    </Pane>
  )
}

/** Why it stands as it does: in the server's words what is wrong, else what a torrent outside its swarm waits for. */
function Why({ torrent }: { torrent: Torrent }) {
  const t = useText(text)
  const kind = standing(torrent)
  const isFailed = kind === 'failed' || kind === 'missing'
  if (torrent.reason !== null) return <Alert variant="light" color={isFailed ? 'red' : 'yellow'} icon={isFailed ? <IconAlertOctagon aria-hidden /> : <IconClock aria-hidden />}><span lang="en">{torrent.reason}</span></Alert>
  if (torrent.state !== 'closed') return null
  return <Text c="dimmed">{t.closedHints[kind === 'stopped' || kind === 'queued' ? kind : 'closed']}</Text>
}

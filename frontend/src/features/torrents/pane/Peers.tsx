import { Stack, Text, Title } from '@mantine/core'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** The peers that are connected. */
export function Peers({ peers }: { peers: TorrentDetails['peersList'] }) {
  const t = useText(text)
  const format = useFormat()
  const head = t.peer
  const rate = (bytes: number) => bytes > 0 ? format.rate(bytes) : ''
  if (peers.length === 0) return <Stack gap={4}><Title order={3}>{t.peers}</Title><Text size="sm" c="dimmed">{t.noPeers}</Text></Stack>
  return (
    <Stack gap={4}>
      <Title order={3}>{t.peers} ({format.number(peers.length)})</Title>
      <ScrollTable label={t.peers}>
        <thead>
          <tr>
            <th scope="col">{head.address}</th><th scope="col">{head.client}</th><th scope="col" data-end>{head.share}</th><th scope="col" data-end>{head.down}</th><th scope="col" data-end>{head.up}</th>
            <th scope="col" data-end>{head.downloaded}</th><th scope="col" data-end>{head.uploaded}</th><th scope="col" data-end>{head.pending}</th>
            <th scope="col">{head.source}</th><th scope="col">{head.encryption}</th><th scope="col">{head.notes}</th>
          </tr>
        </thead>
        <tbody>
          {peers.map((peer) => (
            <tr key={peer.address}>
              <td className="mono">{peer.address}</td><td>{peer.client ?? ''}</td><td data-end>{format.percent(peer.share)}</td><td data-end>{rate(peer.downRate)}</td><td data-end>{rate(peer.upRate)}</td>
              <td data-end>{peer.downloaded > 0 ? format.size(peer.downloaded) : ''}</td><td data-end>{peer.uploaded > 0 ? format.size(peer.uploaded) : ''}</td><td data-end>{format.number(peer.pending)}</td>
              <td>{peer.sources.map((source) => t.sources[source]).join(', ')}</td><td>{t.encryption[peer.encryption]}</td>
              <td>{(['choked', 'choking', 'interested', 'interesting'] as const).filter((note) => peer[note]).map((note) => t.notes[note]).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </Stack>
  )
}

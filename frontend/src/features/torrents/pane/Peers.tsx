import { Stack, Text, Title } from '@mantine/core'
import { Fragment } from 'react'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { useText } from '~/ui/text/catalogue'
import { shownShare } from '../list/torrents'
import { text } from '../text'
import classes from './pane.module.css'

/** The peers that are connected: who they are and how they were found, what they have, and what moves now and in all. */
export function Peers({ peers }: { peers: TorrentDetails['peersList'] }) {
  const t = useText(text)
  const format = useFormat()
  const head = t.peer
  if (peers.length === 0) return <Stack gap={4}><Title order={3}>{t.peers}</Title><Text size="sm" c="dimmed">{t.noPeers}</Text></Stack>
  return (
    <Stack gap={4}>
      <Title order={3}>{t.peers} ({format.number(peers.length)})</Title>
      <ScrollTable label={t.peers} className={classes.rows}>
        <thead>
          <tr><th scope="col">{head.peer}</th><th scope="col" data-end>{head.share}</th><th scope="col" data-end>{head.down}</th><th scope="col" data-end>{head.up}</th></tr>
        </thead>
        <tbody>
          {peers.map((peer) => (
            <Fragment key={peer.address}>
              <tr>
                <td><span className="mono">{peer.address}</span>{peer.client !== null && <span className={classes.sub}>{peer.client}</span>}</td>
                <td data-end>{format.percent(shownShare(peer.share))}</td>
                <td data-end><Moved rate={peer.downRate} bytes={peer.downloaded} /></td>
                <td data-end><Moved rate={peer.upRate} bytes={peer.uploaded} /></td>
              </tr>
              <tr data-more>
                <td colSpan={4}>
                  {[
                    ...(peer.sources.length > 0 ? [t.peerFrom(peer.sources.map((source) => t.sources[source]).join(', '))] : []), t.encryption[peer.encryption], ...(peer.utp ? ['uTP'] : []),
                    ...(['choked', 'choking', 'interested', 'interesting'] as const).filter((note) => peer[note]).map((note) => t.notes[note]), ...(peer.pending > 0 ? [t.requests(peer.pending)] : []),
                  ].join(' · ')}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </ScrollTable>
    </Stack>
  )
}

/** What moves now, and below it what moved since the peer is connected. */
function Moved({ rate, bytes }: { rate: number; bytes: number }) {
  const format = useFormat()
  return <>{rate > 0 && format.rate(rate)}{bytes > 0 && <span className={classes.sub}>{format.size(bytes)}</span>}</>
}

import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TorrentNetwork } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { FactList } from '~/ui/pane/FactList'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** How torrents are reached, where peers come from and what they move, as pairs. */
export function NetworkFacts({ network }: { network: TorrentNetwork }) {
  const t = useText(text)
  const format = useFormat()
  const limit = (bytes: number | null) => bytes === null ? t.unlimited : format.rate(bytes)
  const others = [...(network.exchange ? [t.sourceNames.exchange] : []), ...(network.local ? [t.sourceNames.local] : [])]
  const bound = [network.bind, network.device === network.bind ? null : network.device, ...network.addresses.filter((address) => address !== network.bind)].filter((part) => part !== null)
  const inbound = (last: string | null) => last === null ? t.noInbound : <>{t.inbound} <time dateTime={last}>{format.dateTime(last)}</time></>
  const mapping = t.mapping[network.mapping]
  const groups: [string, [string, ReactNode][]][] = [
    [t.netGroups.reach, [
      [t.net.port, network.port > 0 ? String(network.port) : t.noPort],
      [t.net.inbound4, network.port > 0 && inbound(network.lastInbound4)],
      [t.net.inbound6, network.port > 0 && inbound(network.lastInbound6)],
      [t.net.mapping, network.mappingProtocol === null ? mapping : t.mappedBy(mapping, network.mappingProtocol)],
      [t.net.pinhole, network.pinhole !== 'off' && (network.pinholeTrouble === null ? t.pinhole[network.pinhole] : <span lang="en">{network.pinholeTrouble}</span>)],
      [t.net.external, network.externalPort !== null && <span key="external" className="mono">{network.externalAddress ?? '?'}:{network.externalPort}</span>],
      [t.net.bind, network.bind === null ? t.bindAny : `${bound.join(', ')}. ${t.bound}`],
      [t.net.proxy, network.proxy ?? t.noProxy],
    ]],
    [t.netGroups.peers, [
      [t.net.connections, t.of(format.number(network.connections), format.number(network.mostConnections))],
      [t.net.dht, !network.dht ? t.off : network.dhtReady ? t.nodes(format.number(network.dhtNodes), format.number(network.dhtNodes6)) : t.dhtSearching],
      [t.net.ways, others.length > 0 ? others.join(', ') : t.off],
      [t.net.encryption, t.policies[network.encryption]],
      [t.net.blocklist, network.blockedRanges === null ? t.off : t.blocked(format.number(network.blockedRanges), format.number(network.blocked))],
    ]],
    [t.netGroups.traffic, [
      [t.net.rates, t.downUp(format.rate(network.downRate), format.rate(network.upRate))],
      [t.net.limits, t.downUp(limit(network.downLimit), limit(network.upLimit)) + (network.alternative ? ` (${t.alternative})` : '')],
      [t.net.totals, t.downUp(format.size(network.downloaded), format.size(network.uploaded))],
    ]],
  ]
  return groups.map(([name, facts]) => <Stack key={name} gap={4}><Title order={3}>{name}</Title><FactList facts={facts} /></Stack>)
}

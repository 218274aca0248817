import { Alert, Button, Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { torrentNetwork } from '~/api/torrents'
import type { TorrentNetwork } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { FactList } from '~/ui/pane/FactList'
import { Pane } from '~/ui/pane/Pane'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Opens how torrents reach their peers and are reached. */
export function Network() {
  const t = useText(text)
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>{t.network}</Button>
      <Drawer opened={opened} onClose={close} position="right" size="md" withCloseButton={false} attributes={{ content: { 'aria-label': t.network } }}>{opened && <NetworkPane onClose={close} />}</Drawer>
    </>
  )
}

function NetworkPane({ onClose }: { onClose: () => void }) {
  const t = useText(text)
  const query = useQuery(torrentNetwork)
  const network = query.data
  return (
    <Pane title={t.network} query={query} onClose={onClose}>
      {network !== undefined && network.trouble !== null && <Alert variant="light" color="red">{network.trouble}</Alert>}
      {network !== undefined && <NetworkFacts network={network} />}
    </Pane>
  )
}

function NetworkFacts({ network }: { network: TorrentNetwork }) {
  const t = useText(text)
  const format = useFormat()
  const limit = (bytes: number | null) => bytes === null ? t.unlimited : format.rate(bytes)
  const others = [...(network.exchange ? [t.sourceNames.exchange] : []), ...(network.local ? [t.sourceNames.local] : [])]
  const bound = [network.bind, network.device === network.bind ? null : network.device, ...network.addresses.filter((address) => address !== network.bind)].filter((part) => part !== null)
  const pairs: [string, ReactNode][] = [
    [t.net.port, network.port > 0 ? String(network.port) : t.noPort],
    [t.net.mapping, [network.mappingProtocol, t.mapping[network.mapping]].filter((part) => part !== null).join(' · ')],
    [t.net.external, network.externalPort !== null && <span key="external" className="mono">{network.externalAddress ?? '?'}:{network.externalPort}</span>],
    [t.net.bind, network.bind === null ? t.bindAny : `${bound.join(', ')}. ${t.bound}`],
    [t.net.proxy, network.proxy ?? t.noProxy],
    [t.net.dht, network.dht ? t.nodes(format.number(network.dhtNodes), format.number(network.dhtNodes6)) : t.off],
    [t.net.ways, others.length > 0 ? others.join(', ') : t.off],
    [t.net.blocklist, network.blockedRanges === null ? t.off : t.blocked(format.number(network.blockedRanges), format.number(network.blocked))],
    [t.net.encryption, t.policies[network.encryption]],
    [t.net.limits, t.downUp(limit(network.downLimit), limit(network.upLimit)) + (network.alternative ? ` (${t.alternative})` : '')],
    [t.net.rates, t.downUp(format.rate(network.downRate), format.rate(network.upRate))],
    [t.net.totals, t.downUp(format.size(network.downloaded), format.size(network.uploaded))],
    [t.net.connections, t.of(format.number(network.connections), format.number(network.mostConnections))],
  ]
  return <FactList facts={pairs} />
}

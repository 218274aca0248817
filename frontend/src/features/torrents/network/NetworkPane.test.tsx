import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { torrentNetwork } from '~/api/torrents'
import type { TorrentNetwork } from '~/api/types'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { NetworkPane } from './NetworkPane'

const network: TorrentNetwork = {
  port: 6881, mapping: 'mapped', mappingProtocol: 'UPnP', externalAddress: '203.0.113.80', externalPort: 6881, mappingTrouble: null, pinhole: 'off', pinholeTrouble: null, inbound4: 0, lastInbound4: null, inbound6: 0, lastInbound6: null, bind: null, device: null, addresses: [], trouble: null, proxy: null, blockedRanges: null, blocked: 0,
  encryption: 'prefer', dht: true, dhtReady: true, dhtNodes: 12, dhtNodes6: 0, exchange: true, local: true, downLimit: null, upLimit: null, alternative: false, connections: 1, mostConnections: 500, downRate: 0, upRate: 0, downloaded: 0, uploaded: 0,
}

function show(over: Partial<TorrentNetwork>, language: Language = 'en') {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(torrentNetwork.queryKey, { ...network, ...over })
  render(<LanguageProvider initial={language}><MantineProvider><QueryClientProvider client={client}><NetworkPane onClose={() => undefined} /></QueryClientProvider></MantineProvider></LanguageProvider>)
}

describe('the network of torrents', () => {
  afterEach(cleanup)

  it('says why peers may not get through the router, also where it opened the port', () => {
    show({ mappingTrouble: 'The router has the private address 10.0.0.2 itself.' })
    expect(screen.getByRole('alert').textContent).toBe('Peers may be unable to connectThe router has the private address 10.0.0.2 itself.')
    expect(screen.getByText('Opened the port (UPnP)')).toBeTruthy()
  })

  it('says that the router did not open the port, in German too', () => {
    show({ mapping: 'failed', mappingProtocol: null, mappingTrouble: 'No router answers.' }, 'de')
    expect(screen.getByRole('alert', { name: 'Peers können sich womöglich nicht verbinden' })).toBeTruthy()
    expect(screen.getByText('Hat den Port nicht geöffnet')).toBeTruthy()
  })

  it('has nothing to say where nothing is wrong', () => {
    show({})
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says by family whether anybody has connected from outside', () => {
    show({ inbound4: 3, lastInbound4: '2026-11-28T20:00:00Z' })
    expect(screen.getByText(/^Peers have connected, last/)).toBeTruthy()
    expect(screen.getByText('Nobody has connected yet')).toBeTruthy()
  })

  it('says whether the router lets peers in by IPv6, where there is one', () => {
    show({})
    expect(screen.queryByText('Router (IPv6)')).toBeNull()
    cleanup()
    show({ pinhole: 'mapped' })
    expect(screen.getByText('Lets peers in')).toBeTruthy()
    cleanup()
    show({ pinhole: 'failed', pinholeTrouble: 'The router does not answer to PCP by IPv6.' })
    expect(screen.getByText('The router does not answer to PCP by IPv6.')).toBeTruthy()
  })

  it('counts no nodes of the DHT before it has found its way in', () => {
    show({ dhtReady: false })
    expect(screen.getByText('Looking for nodes')).toBeTruthy()
  })
})

import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { torrentNetwork } from '~/api/torrents'
import type { TorrentNetwork } from '~/api/types'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { NetworkPane } from './NetworkPane'

const network: TorrentNetwork = {
  port: 6881, mapping: 'mapped', mappingProtocol: 'UPnP', externalAddress: '203.0.113.80', externalPort: 6881, mappingTrouble: null, bind: null, device: null, addresses: [], trouble: null, proxy: null, blockedRanges: null, blocked: 0,
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

  it('counts no nodes of the DHT before it has found its way in', () => {
    show({ dhtReady: false })
    expect(screen.getByText('Looking for nodes')).toBeTruthy()
  })
})

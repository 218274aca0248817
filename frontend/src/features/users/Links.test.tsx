import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LinkInfo } from '~/api/types'
import { Links } from './Links'

const server = vi.hoisted(() => ({ get: vi.fn(), remove: vi.fn(), told: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { GET: server.get, DELETE: server.remove }, take: (answer: unknown) => answer }))
vi.mock('@mantine/notifications', () => ({ notifications: { show: server.told } }))

const link = (id: string, maker: string, more: Partial<LinkInfo> = {}): LinkInfo => ({
  id, fileId: `1${id}`, path: `/content/movies/Film/film ${id}.mkv`, maker, via: 'password', play: false, made: '2026-03-01T10:00:00Z', expires: '2026-03-02T10:00:00Z', ...more,
})

let client: QueryClient

function show(manage: boolean) {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<MantineProvider><QueryClientProvider client={client}><Links manage={manage} /></QueryClientProvider></MantineProvider>)
}

describe('links to files', () => {
  beforeEach(() => {
    server.get.mockReset().mockImplementation((_: string, { params }: { params: { query: { all: boolean } } }) =>
      Promise.resolve({ links: params.query.all ? [link('7', 'vera'), link('8', 'full', { via: 'key' }), link('9', '', { via: 'network' })] : [link('7', 'vera', { play: true })] }))
    server.remove.mockReset().mockResolvedValue(undefined)
    server.told.mockReset()
  })
  afterEach(cleanup)

  it('are revoked one by one, and the page makes its own anew', async () => {
    show(false)
    const revoke = await screen.findByRole('button', { name: 'Revoke the link to film 7.mkv' })
    expect(screen.getByText('for a player')).toBeDefined()
    expect(screen.queryByRole('switch')).toBeNull()
    client.setQueryData(['link', '17'], { path: '/view/x/film.mkv' })
    server.get.mockResolvedValue({ links: [] })
    fireEvent.click(revoke)
    await waitFor(() => expect(server.told).toHaveBeenCalledOnce())
    expect(server.remove).toHaveBeenCalledExactlyOnceWith('/api/v1/links/{id}', { params: { path: { id: '7' } } })
    await waitFor(() => expect(screen.queryByText('film 7.mkv')).toBeNull())
    expect(client.getQueryData(['link', '17'])).toBeUndefined()
  })

  it('of everybody are shown to those who manage, with their makers', async () => {
    show(true)
    await screen.findByText('film 7.mkv')
    expect(screen.queryByText('vera')).toBeNull()
    fireEvent.click(screen.getByRole('switch', { name: 'Of all users' }))
    await screen.findByText('film 8.mkv')
    expect(screen.getByText('vera')).toBeDefined()
    expect(screen.getByText('Full key')).toBeDefined()
    expect(screen.getByText('No sign-in')).toBeDefined()
  })

  it('that are many are shown once they are asked for', async () => {
    server.get.mockResolvedValue({ links: Array.from({ length: 25 }, (_, number) => link(`${number}`, 'vera')) })
    show(false)
    await screen.findByText('film 19.mkv')
    expect(screen.queryByText('film 20.mkv')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Show all 25' }))
    expect(screen.getByText('film 24.mkv')).toBeDefined()
  })

  it('that cannot be revoked stay, with the reason', async () => {
    server.remove.mockRejectedValue(new Error('There is no such link, or it is not yours.'))
    show(false)
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke the link to film 7.mkv' }))
    await screen.findByText('There is no such link, or it is not yours.')
    expect(server.told).not.toHaveBeenCalled()
  })
})

import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HealthDetail } from '~/api/types'
import { postQuery } from './calls'
import { PostDetails } from './PostDetails'

const server = vi.hoisted(() => ({ get: vi.fn(), post: vi.fn(), told: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { GET: server.get, POST: server.post }, take: (answer: unknown) => answer }))
vi.mock('@mantine/notifications', () => ({ notifications: { show: server.told } }))

const gone = (id: string, confirmed: number) => ({ id, file: `${id}.mkv`, articles: 3, confirmed, first: '2026-03-01T10:00:00Z', last: '2026-03-04T10:00:00Z', providers: ['News'] })
const detail = { gone: [gone('7', 2), gone('8', 0)], events: [] } as unknown as HealthDetail

function show(manage: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(postQuery('5').queryKey, detail)
  render(<MantineProvider><QueryClientProvider client={client}><PostDetails id="5" manage={manage} /></QueryClientProvider></MantineProvider>)
}

describe('replacing a file of which something is missing', () => {
  beforeEach(() => {
    server.get.mockReset().mockResolvedValue(detail)
    server.post.mockReset()
    server.told.mockReset()
  })
  afterEach(cleanup)

  it('is offered for what is confirmed missing, to those who may manage', () => {
    show(true)
    expect(screen.getByText('8.mkv')).toBeDefined()
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Have 7.mkv replaced now'])
    cleanup()
    show(false)
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  it('asks first, then sends the file and tells what the server says', async () => {
    server.post.mockResolvedValue({ name: 'Sonarr', message: 'It searches for another release.' })
    show(true)
    fireEvent.click(screen.getByRole('button', { name: 'Have 7.mkv replaced now' }))
    const confirm = await screen.findByRole('button', { name: 'Replace now' })
    expect(server.post).not.toHaveBeenCalled()
    expect(screen.getByText(/deletes its link to 7\.mkv first/)).toBeDefined()
    fireEvent.click(confirm)
    await waitFor(() => expect(server.told).toHaveBeenCalledOnce())
    expect(server.post).toHaveBeenCalledExactlyOnceWith('/api/v1/repairs', { body: { path: null, file: '7' } })
    expect(server.told.mock.calls[0]?.[0]).toMatchObject({ title: 'Sonarr', message: 'It searches for another release.' })
    await waitFor(() => expect(screen.queryByText(/deletes its link/)).toBeNull())
  })

  it('says why in the dialog when the server refuses', async () => {
    server.post.mockRejectedValue(new Error('No Sonarr knows this file.'))
    show(true)
    fireEvent.click(screen.getByRole('button', { name: 'Have 7.mkv replaced now' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Replace now' }))
    await screen.findByText('No Sonarr knows this file.')
    expect(server.told).not.toHaveBeenCalled()
  })
})

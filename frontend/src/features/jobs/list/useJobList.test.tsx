import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveEvent } from '~/api/live'
import type { Job } from '~/api/types'
import { job, page } from './fakes'
import { readView } from './filter'
import { hide, show } from './hidden'
import { useJobList } from './useJobList'

const server = vi.hoisted(() => ({ get: vi.fn(), tell: vi.fn<(event: unknown) => void>() }))
vi.mock('~/api/client', () => ({ api: { GET: server.get }, take: (answer: unknown) => answer }))
vi.mock('~/api/LiveProvider', () => ({ useLive: (handler: (event: unknown) => void) => { server.tell = handler } }))

const view = readView({ state: 'queued' })
const later = new Date(Date.now() + 60_000).toISOString()
const event = (changed: Job[], removed: string[] = []): LiveEvent => ({ name: 'jobs', isMoved: true, data: { changed, removed, counts: page([]).counts } })

let client: QueryClient
function list(hold: boolean) {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  return renderHook(({ held }) => useJobList(view, held), { wrapper, initialProps: { held: hold } })
}

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false, retry: false } } })
  server.get.mockReset().mockImplementation(() => Promise.resolve(page([job('1'), job('2'), job('3')])))
})

describe('the rows of a list', () => {
  it('keep their places while it is held, and tell what waits', async () => {
    const { result } = list(true)
    await waitFor(() => expect(result.current.count).toBe(3))
    act(() => server.tell(event([job('9', { added: later })], ['2'])))
    expect(result.current.news).toEqual({ arrived: 1, gone: 1 })
    expect(result.current.isGone('2')).toBe(true)
    expect(result.current.row(1)?.id).toBe('2')
    expect(server.get).toHaveBeenCalledTimes(1)
    act(() => result.current.refresh())
    expect(result.current.news).toEqual({ arrived: 0, gone: 0 })
    await waitFor(() => expect(server.get).toHaveBeenCalledTimes(2))
  })

  it('do not count as new what the filter leaves out, or what was there before', async () => {
    const { result } = list(true)
    await waitFor(() => expect(result.current.count).toBe(3))
    act(() => server.tell(event([job('8', { added: later, state: 'failed' }), job('7', { added: '2020-01-01T00:00:00Z' })])))
    expect(result.current.news).toEqual({ arrived: 0, gone: 0 })
  })

  it('are read anew once for many events while it is not held', async () => {
    const { result } = list(false)
    await waitFor(() => expect(result.current.count).toBe(3))
    vi.useFakeTimers()
    for (let at = 0; at < 4; at++) act(() => server.tell(event([job('9', { added: later })])))
    act(() => { vi.advanceTimersByTime(1000) })
    vi.useRealTimers()
    await waitFor(() => expect(server.get).toHaveBeenCalledTimes(2))
    expect(result.current.news.arrived).toBe(0)
  })

  it('close up over those that are hidden, and come back', async () => {
    const { result } = list(false)
    await waitFor(() => expect(result.current.count).toBe(3))
    act(() => hide(client, ['1']))
    await waitFor(() => expect(result.current.count).toBe(2))
    expect(result.current.row(0)?.id).toBe('2')
    expect(result.current.find('3')).toBe(1)
    act(() => show(client, ['1']))
    await waitFor(() => expect(result.current.row(0)?.id).toBe('1'))
  })
})

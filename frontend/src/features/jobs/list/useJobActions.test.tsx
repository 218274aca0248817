import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import type { JobsAction } from '~/api/types'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { job } from './fakes'
import { readView } from './filter'
import { useJobActions } from './useJobActions'

const { server, told } = vi.hoisted((): { server: { post: Mock }; told: Mock } => ({ server: { post: vi.fn() }, told: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { POST: server.post }, take: (answer: unknown) => answer }))
vi.mock('@mantine/notifications', () => ({ notifications: { show: told } }))

function actions(language: Language = 'en') {
  const client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => <LanguageProvider initial={language}><QueryClientProvider client={client}>{children}</QueryClientProvider></LanguageProvider>
  return renderHook(() => useJobActions(), { wrapper }).result.current
}
const jobs = (count: number) => Array.from({ length: count }, (_, at) => job(String(at), { position: at }))
const bodies = () => (server.post.mock.calls as [string, { body: JobsAction }][]).map(([, { body }]) => body)

beforeEach(() => {
  told.mockReset()
  server.post.mockReset().mockImplementation((_path: string, { body }: { body: JobsAction }) => Promise.resolve({ done: 1, refused: [{ id: body.ids?.[0] ?? '', reason: 'It has ended.' }] }))
})

describe('an action on many jobs', () => {
  it('is sent in parts that the server takes, and tells all that was refused', async () => {
    const { change } = actions()
    await act(() => change({ jobs: jobs(2001) }, { action: 'pause' }))
    expect(bodies().map(({ ids }) => ids?.length)).toEqual([1000, 1000, 1])
    expect(bodies().every(({ action, filter }) => action === 'pause' && filter === null)).toBe(true)
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: 'Not done for 3 jobs', message: 'Job 0: It has ended.\nJob 1000: It has ended.\nJob 2000: It has ended.' }))
  })

  it('is one call for all that a filter matches', async () => {
    const { change } = actions()
    await act(() => change({ filter: readView({ state: 'queued' }).filter, total: 5000 }, { action: 'pause' }))
    expect(bodies().map(({ ids }) => ids)).toEqual([null])
  })

  it('moves as many as the server takes in one call', async () => {
    const queue = jobs(1001)
    const { move } = actions()
    await act(() => move(queue.slice(1), queue, 0))
    expect(bodies().map(({ ids, action, position }) => [ids?.length, action, position])).toEqual([[1000, 'move', 0]])
  })

  it.each([
    ['en', 'Only 1,000 jobs can be moved at once. Select fewer of them.'],
    ['de', 'Es lassen sich nur 1.000 Aufträge auf einmal verschieben. Bitte weniger auswählen.'],
  ] as const)('is not sent if it moves more than the server takes in one call (%s)', async (language, message) => {
    const { move } = actions(language)
    await act(() => move(jobs(1001), jobs(1001), -1))
    expect(server.post).not.toHaveBeenCalled()
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ color: 'red', message }))
  })
})

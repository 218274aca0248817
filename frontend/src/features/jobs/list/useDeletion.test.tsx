import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { job } from './fakes'
import { hiddenKey } from './hidden'
import { useDeletion } from './useDeletion'

const server = vi.hoisted(() => ({ post: vi.fn(), undo: (): void => undefined }))
vi.mock('~/api/client', () => ({ api: { POST: server.post }, take: (answer: unknown) => answer }))
type Told = { id?: string; message: { props: { children: { props: { onClick: () => void } }[] } } }
vi.mock('@mantine/notifications', () => ({ notifications: { show: (told: Told) => { if (told.id !== undefined) server.undo = told.message.props.children[1]?.props.onClick ?? server.undo }, hide: () => undefined } }))

let client: QueryClient
const hidden = () => [...client.getQueryData<Set<string>>(hiddenKey) ?? []]
function deletion() {
  const wrapper = ({ children }: { children: ReactNode }) => <MantineProvider><QueryClientProvider client={client}>{children}</QueryClientProvider></MantineProvider>
  return renderHook(() => useDeletion(), { wrapper }).result.current
}
const many = (count: number) => Array.from({ length: count }, (_, at) => job(String(at), { state: 'failed' }))
const lengths = () => (server.post.mock.calls as [string, { body: { ids: string[] } }][]).map(([, { body }]) => body.ids.length)

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  server.post.mockReset().mockResolvedValue({ done: 1, refused: [] })
})
afterEach(() => vi.useRealTimers())

describe('removing from the list', () => {
  it('hides at once and is sent after eight seconds', async () => {
    deletion().remove([job('1', { state: 'failed' })])
    expect(hidden()).toEqual(['1'])
    await act(() => vi.advanceTimersByTimeAsync(7999))
    expect(server.post).not.toHaveBeenCalled()
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(server.post).toHaveBeenCalledExactlyOnceWith('/api/v1/jobs/actions', { body: expect.objectContaining({ ids: ['1'], action: 'delete', withFiles: false }) as unknown, keepalive: true })
  })

  it('is never sent if it is taken back', async () => {
    deletion().remove([job('1', { state: 'failed' })])
    act(() => server.undo())
    expect(hidden()).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(server.post).not.toHaveBeenCalled()
  })

  it('is sent at once when the page is left', () => {
    deletion().remove([job('1', { state: 'failed' })])
    window.dispatchEvent(new Event('pagehide'))
    expect(server.post).toHaveBeenCalledOnce()
  })

  it('is sent in parts that the server takes, one after the other', async () => {
    const answers: (() => void)[] = []
    server.post.mockImplementation(() => new Promise((resolve) => { answers.push(() => resolve({ done: 1, refused: [] })) }))
    deletion().remove(many(1001))
    await act(() => vi.advanceTimersByTimeAsync(8000))
    expect(lengths()).toEqual([1000])
    await act(() => Promise.resolve(answers[0]?.()))
    expect(lengths()).toEqual([1000, 1])
  })

  it('is sent in parts at the same time when the page is left', () => {
    deletion().remove(many(1001))
    window.dispatchEvent(new Event('pagehide'))
    expect(lengths()).toEqual([1000, 1])
  })

  it('takes what a job that had not ended publishes meanwhile', async () => {
    deletion().remove([job('1', { state: 'queued' }), job('2', { state: 'completed' })])
    await act(() => vi.advanceTimersByTimeAsync(8000))
    const sent = server.post.mock.calls as [string, { body: { ids: string[]; withFiles: boolean } }][]
    expect(sent.map(([, { body }]) => [body.ids, body.withFiles])).toEqual([[['2'], false], [['1'], true]])
  })

  it('brings back what the server refuses', async () => {
    server.post.mockResolvedValue({ done: 0, refused: [{ id: '1', reason: 'It is being published.' }] })
    deletion().remove([job('1', { state: 'failed' })])
    await act(() => vi.advanceTimersByTimeAsync(8000))
    expect(hidden()).toEqual([])
  })

  it('brings everything back if it could not be sent', async () => {
    server.post.mockRejectedValue(new Error('The server does not answer.'))
    deletion().remove([job('1', { state: 'failed' }), job('2', { state: 'failed' })])
    await act(() => vi.advanceTimersByTimeAsync(8000))
    expect(hidden()).toEqual([])
  })
})

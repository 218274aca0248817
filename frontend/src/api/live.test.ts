import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys, Live, type LiveEvent } from './live'
import type { Job, JobCounts, JobPage, Torrent } from './types'

const counts: JobCounts = { queued: 1, waiting: 0, paused: 0, running: 0, completed: 0, failed: 0 }
const job = (id: string, rest: Partial<Job> = {}): Job => ({
  id, name: `Job ${id}`, category: 'tv', kind: 'nzb', state: 'queued', source: 'api', priority: 0, position: 0, added: '2026-11-22T12:00:00Z', started: null, finished: null,
  step: null, stepIndex: null, stepCount: 6, progress: 0, bytes: 0, files: 0, failure: null, retryAt: null, attempts: 0, hasPassword: false, itemId: null, path: null, ...rest,
})
const page = (...items: Job[]): JobPage => ({ items, total: items.length, offset: 0, counts })
const first = [...keys.jobPages, 'a', 0]
const list = [...keys.jobLists, 'failed']

let client: QueryClient
let live: Live
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false, retry: false } } })
  live = new Live(client)
})
afterEach(() => {
  live.dispose()
  vi.useRealTimers()
})

const isMarked = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

describe('events of torrents', () => {
  const torrent = (infoHash: string, state: Torrent['state']) => ({ infoHash, state }) as Torrent
  const shown = () => client.getQueryData<{ torrents: Torrent[] }>(keys.torrents)?.torrents.map(({ infoHash, state }) => `${infoHash} ${state}`)

  it('tell of those in their swarms, and leave the closed ones in the list', () => {
    client.setQueryData(keys.torrents, { torrents: [torrent('a', 'metadata'), torrent('b', 'closed')] })
    live.take('torrents', { torrents: [torrent('a', 'active')] })
    expect(shown()).toEqual(['a active', 'b closed'])
    vi.advanceTimersByTime(1000)
    expect(isMarked(keys.torrents)).toBe(false)
  })

  it('have the list read anew when one came or left', () => {
    for (const told of [[torrent('a', 'active'), torrent('c', 'metadata')], []]) {
      client.setQueryData(keys.torrents, { torrents: [torrent('a', 'active'), torrent('b', 'closed')] })
      live.take('torrents', { torrents: told })
      expect(shown()).toContain('b closed')
      vi.advanceTimersByTime(1000)
      expect(isMarked(keys.torrents)).toBe(true)
    }
  })

  it('make no list where none was read', () => {
    live.take('torrents', { torrents: [] })
    expect(shown()).toBeUndefined()
  })
})

describe('events of jobs', () => {
  it('patch a row where it stands and keep its place in the queue', () => {
    const [a, b] = [job('1', { state: 'running', position: 0 }), job('2', { position: 1 })]
    client.setQueryData(first, page(a, b))
    live.take('jobs', { changed: [job('1', { state: 'running', position: null, progress: 0.61 })], removed: [], counts })
    const items = client.getQueryData<JobPage>(first)?.items
    expect(items?.[0]).toMatchObject({ progress: 0.61, position: 0 })
    expect(items?.[1]).toBe(b)
    expect(isMarked(first)).toBe(false)
  })

  it('leave a page as it is that holds none of them', () => {
    const before = page(job('1'))
    client.setQueryData(first, before)
    live.take('jobs', { changed: [job('9', { state: 'running' })], removed: [], counts })
    expect(client.getQueryData(first)).toBe(before)
  })

  it('mark pages whose rows may have moved and tell listeners, but do not read them', () => {
    const told: LiveEvent[] = []
    live.listen((event) => told.push(event))
    const read = vi.fn(() => Promise.resolve(page(job('1'))))
    client.setQueryData(first, page(job('1')))
    client.setQueryDefaults(first, { queryFn: read })
    live.take('jobs', { changed: [job('1', { state: 'failed' })], removed: [], counts })
    expect(isMarked(first)).toBe(true)
    expect(told).toMatchObject([{ name: 'jobs', isMoved: true }])
    vi.advanceTimersByTime(5000)
    expect(read).not.toHaveBeenCalled()
  })

  it('say that rows have moved for a job that no list holds, and for one that is gone', () => {
    const told: boolean[] = []
    live.listen((event) => told.push(event.isMoved))
    client.setQueryData(first, page(job('1')))
    live.take('jobs', { changed: [job('2')], removed: [], counts })
    live.take('jobs', { changed: [], removed: ['1'], counts })
    live.take('jobs', { changed: [job('1', { progress: 0.5 })], removed: [], counts })
    expect(told).toEqual([true, true, false])
  })

  it('have short lists read anew once a second at most', () => {
    client.setQueryData(list, page(job('1', { state: 'failed' })))
    const invalidate = vi.spyOn(client, 'invalidateQueries')
    for (let at = 0; at < 8; at++) live.take('jobs', { changed: [], removed: [String(at)], counts })
    vi.advanceTimersByTime(1000)
    expect(invalidate.mock.calls.filter(([filter]) => filter?.queryKey?.[1] === 'list')).toHaveLength(1)
  })
})

describe('other events', () => {
  it('take the place of what was read', () => {
    const streams = { streams: [] }
    live.take('streams', streams)
    expect(client.getQueryData(keys.streams)).toBe(streams)
  })

  it('have everything read anew after a gap', () => {
    client.setQueryData(first, page(job('1')))
    client.setQueryData(['files', '7'], {})
    live.take('reset', {})
    expect(isMarked(first)).toBe(true)
    expect(isMarked(['files', '7'])).toBe(true)
  })

  it('are no longer told to a listener that has left', () => {
    const told = vi.fn()
    live.listen(told)()
    live.take('ping', {})
    expect(told).not.toHaveBeenCalled()
  })
})

import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { keys } from '~/api/live'
import type { JobPage } from '~/api/types'
import { allows, arranged, changed, landing, patch } from './change'
import { job, page } from './fakes'

describe('a change', () => {
  it('shows on the row as the server will do it', () => {
    expect(changed(job('1'), { action: 'pause' }).state).toBe('paused')
    expect(changed(job('1', { state: 'paused' }), { action: 'resume' }).state).toBe('queued')
    expect(changed(job('1', { state: 'failed', failure: { code: 'missing-articles', message: 'gone' } }), { action: 'retry' })).toMatchObject({ state: 'queued', failure: null })
    expect(changed(job('1'), { action: 'priority', priority: 2 }).priority).toBe(2)
  })

  it('leaves rows alone to which it does not apply', () => {
    const done = job('1', { state: 'completed' })
    expect(changed(done, { action: 'pause' })).toBe(done)
    expect(changed(done, { action: 'retry' })).toBe(done)
    expect(allows('retry', done)).toBe(false)
    expect(allows('move', done)).toBe(false)
    expect(allows('delete', done)).toBe(true)
  })
})

describe('an optimistic patch', () => {
  const key = [...keys.jobPages, 'a', 0]
  const made = () => new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  const items = (client: QueryClient) => client.getQueryData<JobPage>(key)?.items

  it('is taken back whole, or for the rows that were refused', () => {
    const client = made()
    const [a, b] = [job('1'), job('2')]
    client.setQueryData(key, page([a, b]))
    const back = patch(client, (one) => changed(one, { action: 'pause' }))
    expect(items(client)?.map((one) => one.state)).toEqual(['paused', 'paused'])
    back(new Set(['2']))
    expect(items(client)).toMatchObject([{ state: 'paused' }, { state: 'queued' }])
    back()
    expect(items(client)).toEqual([a, b])
  })

  it('is not taken back over something newer', () => {
    const client = made()
    client.setQueryData(key, page([job('1')]))
    const back = patch(client, (one) => changed(one, { action: 'pause' }))
    const newer = job('1', { state: 'running' })
    client.setQueryData(key, page([newer]))
    back()
    expect(items(client)).toEqual([newer])
  })

  it('does not make an old page pass for a new answer', () => {
    const client = made()
    client.setQueryData(key, page([job('1')]), { updatedAt: 5 })
    patch(client, (one) => changed(one, { action: 'pause' }))
    expect(client.getQueryState(key)?.dataUpdatedAt).toBe(5)
  })
})

describe('moving in the queue', () => {
  const queue = ['a', 'b', 'c', 'd', 'e'].map((id, position) => job(id, { position }))
  const to = (ids: string[], gap: number) => landing(queue, new Set(ids), gap)

  it('tells the place among the others', () => {
    expect(to(['d'], 1)).toEqual({ position: 1, order: ['a', 'd', 'b', 'c', 'e'] })
    expect(to(['a'], 3)).toEqual({ position: 2, order: ['b', 'c', 'a', 'd', 'e'] })
    expect(to(['a'], 5)).toEqual({ position: 4, order: ['b', 'c', 'd', 'e', 'a'] })
  })

  it('keeps the order of several', () => {
    expect(to(['b', 'd'], 0)).toEqual({ position: 0, order: ['b', 'd', 'a', 'c', 'e'] })
    expect(to(['a', 'c'], 5)).toEqual({ position: 3, order: ['b', 'd', 'e', 'a', 'c'] })
  })

  it('is nothing if all stays as it was', () => {
    expect(to(['c'], 2)).toBeNull()
    expect(to(['c'], 3)).toBeNull()
  })

  it('counts rows that a filter leaves out', () => {
    const shown = [job('a', { position: 0 }), job('c', { position: 2 }), job('f', { position: 5 })]
    expect(landing(shown, new Set(['f']), 1)).toEqual({ position: 2, order: ['a', 'f', 'c'] })
    expect(landing(shown, new Set(['a']), 2)).toEqual({ position: 4, order: ['c', 'a', 'f'] })
  })

  it('gives each row the place that it takes over', () => {
    const places = arranged(queue, ['a', 'd', 'b', 'c', 'e'])
    expect([places.get('b')?.id, places.get('b')?.position]).toEqual(['d', 1])
    expect([places.get('d')?.id, places.get('d')?.position]).toEqual(['c', 3])
  })
})

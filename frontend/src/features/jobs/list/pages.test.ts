import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { job, page } from './fakes'
import { readView } from './filter'
import { KnownList, listKey, offsetsOf, PageSize, unhidden } from './pages'

const view = readView({})
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => job(String(from + at)))

describe('pages of a list', () => {
  it('are those that hold the rows on the screen', () => {
    expect(offsetsOf(0, 40)).toEqual([0])
    expect(offsetsOf(190, 210)).toEqual([0, 200])
    expect(offsetsOf(9990, 9999)).toEqual([9800])
  })

  it('give rows by place, and its length by the newest answer', () => {
    const client = new QueryClient()
    client.setQueryData([...listKey(view), 0], page(rows(0, PageSize), 0, 412), { updatedAt: 1 })
    client.setQueryData([...listKey(view), 400], page(rows(400, 11), 400, 411), { updatedAt: 2 })
    client.setQueryData([...listKey(readView({ state: 'failed' })), 0], page(rows(7000, 5), 0, 5), { updatedAt: 3 })
    const list = new KnownList(client, view)
    expect(list.total).toBe(411)
    expect(list.at(405)?.id).toBe('405')
    expect(list.at(205)).toBeUndefined()
    expect(list.find('403')).toBe(403)
    expect(list.find('7000')).toBe(-1)
    expect(list.placesOf(new Set(['410', '3', '999']))).toEqual([3, 410])
  })
})

describe('hidden rows', () => {
  it('leave no gap', () => {
    const shown = (hidden: number[]) => [0, 1, 2, 3].map((place) => unhidden(place, hidden))
    expect(shown([])).toEqual([0, 1, 2, 3])
    expect(shown([0])).toEqual([1, 2, 3, 4])
    expect(shown([1, 2])).toEqual([0, 3, 4, 5])
    expect(shown([0, 2, 3])).toEqual([1, 4, 5, 6])
  })
})

import { describe, expect, it } from 'vitest'
import { job } from './fakes'
import { isAll, matches, readView, toActionFilter, writeView } from './filter'
import { nextSort } from './useJobView'

describe('the view in the address', () => {
  it('survives being written and read', () => {
    const view = readView({ state: 'failed,queued', kind: 'torrent', category: 'tv', q: 'some show', sort: 'size', desc: '1', job: '7' })
    expect(view).toEqual({ filter: { states: ['queued', 'failed'], kind: 'torrent', category: 'tv', search: 'some show' }, sort: { by: 'size', descending: true }, open: '7' })
    expect(readView(Object.fromEntries(Object.entries(writeView(view)).filter(([, value]) => value !== undefined)))).toEqual(view)
  })

  it('leaves nothing in it by default, and ignores what it does not know', () => {
    const view = readView({ state: 'eaten', kind: 'pigeon', sort: 'luck' })
    expect(isAll(view.filter)).toBe(true)
    expect(Object.values(writeView(view)).filter((value) => value !== undefined)).toEqual([])
  })

  it('turns the order of a column round when it is chosen again, but not that of the queue', () => {
    expect(nextSort({ by: 'turn', descending: false }, 'size')).toEqual({ by: 'size', descending: true })
    expect(nextSort({ by: 'size', descending: true }, 'size')).toEqual({ by: 'size', descending: false })
    expect(nextSort({ by: 'turn', descending: false }, 'name')).toEqual({ by: 'name', descending: false })
    expect(nextSort({ by: 'turn', descending: false }, 'turn')).toEqual({ by: 'turn', descending: false })
  })
})

describe('the filter', () => {
  const filter = readView({ state: 'failed', category: 'tv', q: 'SHOW' }).filter

  it('lets through what has all that it asks for', () => {
    const shown = job('1', { state: 'failed', name: 'Some.Show.S01' })
    expect(matches(filter, shown)).toBe(true)
    expect(matches(filter, { ...shown, state: 'queued' })).toBe(false)
    expect(matches(filter, { ...shown, category: 'movies' })).toBe(false)
    expect(matches(filter, { ...shown, name: 'Film' })).toBe(false)
  })

  it('is told to the server without what it does not ask for', () => {
    expect(toActionFilter(filter)).toEqual({ states: ['failed'], kind: null, category: 'tv', search: 'SHOW' })
  })
})

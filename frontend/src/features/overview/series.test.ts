import { describe, expect, it } from 'vitest'
import type { Series } from '~/api/types'
import { extended, summary } from './series'

const start = '2026-11-22T12:00:00.000Z'
const at = (seconds: number) => Date.parse(start) + seconds * 1000
const series: Series = { start, stepSeconds: 1, lines: [{ name: 'provider.1', label: 'A', unit: 'bytesPerSecond', values: [1, 2, 3, 4] }, { name: 'torrents.down', label: 'T', unit: 'bytesPerSecond', values: [null, null, 0, 0] }] }
const latest = new Map([['provider.1', 9], ['torrents.down', 5]])
/** Four seconds are shown. */
const to = (seconds: number, of = series, span = 4) => extended(of, at(seconds), latest, span)
const values = (of: Series) => of.lines.map((line) => line.values)

describe('a series that goes on', () => {
  it('stays as it is within the same second', () => {
    expect(to(4.9)).toBe(series)
  })

  it('grows while the server is younger than what is shown', () => {
    const next = to(5.2, series, 6)
    expect(next.start).toBe(start)
    expect(values(next)).toEqual([[1, 2, 3, 4, 9], [null, null, 0, 0, 5]])
    expect(values(to(7, series, 6))[0]).toEqual([2, 3, 4, 9, 9, 9])
  })

  it('moves along and keeps its length', () => {
    const next = to(5.2)
    expect(next.start).toBe('2026-11-22T12:00:01.000Z')
    expect(values(next)).toEqual([[2, 3, 4, 9], [null, 0, 0, 5]])
  })

  it('fills the pause of a server at rest, but not a gap', () => {
    expect(values(to(7))[0]).toEqual([4, 9, 9, 9])
    const long = { ...series, lines: series.lines.map((line) => ({ ...line, values: Array<number>(20).fill(1) })) }
    expect(values(to(30, long, 20))[0]?.slice(-11)).toEqual([1, ...Array<null>(9).fill(null), 9])
  })

  it('begins anew after longer than it shows', () => {
    expect(values(to(4000))[0]?.at(-1)).toBe(9)
    expect(values(to(4000))[0]).toHaveLength(4)
  })
})

it('tells mean and peak of what is known', () => {
  expect(summary([null, 2, 4])).toEqual({ mean: 3, peak: 4 })
  expect(summary([null])).toEqual({ mean: 0, peak: 0 })
})

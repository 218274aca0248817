import { describe, expect, it } from 'vitest'
import type { Series } from '~/api/types'
import { extended, summary } from './series'

const start = '2026-11-22T12:00:00.000Z'
const at = (seconds: number) => Date.parse(start) + seconds * 1000
const series: Series = { start, stepSeconds: 1, lines: [{ name: 'provider.1', label: 'A', unit: 'bytesPerSecond', values: [1, 2, 3, 4] }, { name: 'torrents.down', label: 'T', unit: 'bytesPerSecond', values: [null, null, 0, 0] }] }
const latest = new Map([['provider.1', 9], ['torrents.down', 5]])
const values = (of: Series) => of.lines.map((line) => line.values)

describe('a series that goes on', () => {
  it('stays as it is within the same second', () => {
    expect(extended(series, at(4.9), latest)).toBe(series)
  })

  it('moves along and keeps its length', () => {
    const next = extended(series, at(5.2), latest)
    expect(next.start).toBe('2026-11-22T12:00:01.000Z')
    expect(values(next)).toEqual([[2, 3, 4, 9], [null, 0, 0, 5]])
  })

  it('fills the pause of a server at rest, but not a gap', () => {
    expect(values(extended(series, at(7), latest))[0]).toEqual([4, 9, 9, 9])
    const long = { ...series, lines: series.lines.map((line) => ({ ...line, values: Array<number>(20).fill(1) })) }
    expect(values(extended(long, at(30), latest))[0]?.slice(-11)).toEqual([1, ...Array<null>(9).fill(null), 9])
  })

  it('begins anew after longer than it shows', () => {
    expect(values(extended(series, at(4000), latest))[0]?.at(-1)).toBe(9)
    expect(values(extended(series, at(4000), latest))[0]).toHaveLength(4)
  })
})

it('tells mean and peak of what is known', () => {
  expect(summary([null, 2, 4])).toEqual({ mean: 3, peak: 4 })
  expect(summary([null])).toEqual({ mean: 0, peak: 0 })
})

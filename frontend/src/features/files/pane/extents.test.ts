import { describe, expect, it } from 'vitest'
import { layout } from '~/ui/strip/layout'
import { extentsOf } from './extents'

const posted = (count: number, length: number) => Array.from({ length: count }, (_, index) => ({ index, name: null, offset: index * length, length, articles: 10, missing: 0 }))
const weights = { a: 1, b: 1, held: 1, wanted: 4, missing: 1, hole: Infinity }

describe('the strip of a file', () => {
  it('lets posted files take turns', () => {
    expect(extentsOf({ size: 300, posted: posted(3, 100), postedTotal: 3, holes: [] })).toEqual([
      { start: 0, length: 100, kind: 'a' }, { start: 100, length: 100, kind: 'b' }, { start: 200, length: 100, kind: 'a' },
    ])
  })

  it('has its holes above them', () => {
    const bars = layout(extentsOf({ size: 300, posted: posted(3, 100), postedTotal: 3, holes: [{ offset: 150, length: 1, reason: 'gone', kind: 'gone', since: null }] }), 300, 30, weights)
    expect(bars.filter(({ kind }) => kind === 'hole')).toEqual([{ x: 15, width: 1, kind: 'hole' }])
  })

  it('is one stretch where the posted files are not all told, or too many, or none', () => {
    const one = [{ start: 0, length: 300, kind: 'a' }]
    expect(extentsOf({ size: 300, posted: posted(1, 100), postedTotal: 3, holes: [] })).toEqual(one)
    expect(extentsOf({ size: 300, posted: posted(300, 1), postedTotal: 300, holes: [] })).toEqual(one)
    expect(extentsOf({ size: 300, posted: [], postedTotal: 0, holes: [] })).toEqual(one)
  })
})

import { describe, expect, it } from 'vitest'
import { inOrder, layout } from './layout'

const weights = { held: 1, missing: 1, hole: Infinity }

describe('the layout of a strip', () => {
  it('puts each segment where it belongs', () => {
    expect(layout([{ start: 0, length: 50, kind: 'held' }, { start: 50, length: 25, kind: 'missing' }], 100, 4, weights)).toEqual([
      { x: 0, width: 2, kind: 'held' }, { x: 2, width: 1, kind: 'missing' },
    ])
  })

  it('shows a hole of one byte in a file of 50 GB', () => {
    const bars = layout([{ start: 0, length: 5e10, kind: 'held' }, { start: 2e10, length: 1, kind: 'hole' }], 5e10, 1000, weights)
    expect(bars).toEqual([{ x: 0, width: 400, kind: 'held' }, { x: 400, width: 1, kind: 'hole' }, { x: 401, width: 599, kind: 'held' }])
  })

  it('draws the last byte inside the strip', () => {
    expect(layout([{ start: 99, length: 1, kind: 'hole' }], 100, 10, weights)).toEqual([{ x: 9, width: 1, kind: 'hole' }])
  })

  it('shows in a column what covers most of it', () => {
    expect(layout(inOrder([{ length: 3, kind: 'held' }, { length: 1, kind: 'missing' }]), 4, 1, weights)).toEqual([{ x: 0, width: 1, kind: 'held' }])
    expect(layout(inOrder([{ length: 1, kind: 'held' }, { length: 3, kind: 'missing' }]), 4, 1, weights)).toEqual([{ x: 0, width: 1, kind: 'missing' }])
  })

  it('has no more bars than columns, however many pieces there are', () => {
    const pieces = inOrder(Array.from({ length: 100_000 }, (_, at) => ({ length: 1, kind: at % 2 === 0 ? 'held' as const : 'missing' as const })))
    expect(layout(pieces, 100_000, 500, weights).length).toBeLessThanOrEqual(500)
  })

  it('joins neighbours of one kind and leaves out what nothing covers', () => {
    expect(layout([{ start: 0, length: 10, kind: 'held' }, { start: 10, length: 10, kind: 'held' }, { start: 90, length: 10, kind: 'held' }], 100, 10, weights)).toEqual([
      { x: 0, width: 2, kind: 'held' }, { x: 9, width: 1, kind: 'held' },
    ])
  })

  it('is empty for nothing', () => {
    expect(layout([], 0, 100, weights)).toEqual([])
    expect(layout([{ start: 0, length: 0, kind: 'held' }], 10, 100, weights)).toEqual([])
  })
})

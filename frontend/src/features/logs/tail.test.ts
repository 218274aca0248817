import { describe, expect, it } from 'vitest'
import type { LogLine } from '~/api/types'
import { appended, begun, categoriesOf, Limit, type Tail } from './tail'

const line = (id: number, category = 'NzbDav.Usenet.Pool'): LogLine => ({ id, time: '2026-01-01T00:00:00Z', level: 'information', category, message: String(id), detail: null })
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => line(from + at))

describe('the tail of the log', () => {
  it('appends what is new, once', () => {
    const tail = appended(begun({ lines: [line(1), line(2)], last: 2 }), { lines: [line(2), line(3)], last: 3 })
    expect(tail?.lines.map((each) => each.id)).toEqual([1, 2, 3])
    expect(tail?.next).toBe(3)
  })

  it('goes on after the last line of a full page, as more may stand behind it', () => {
    const tail = appended(begun({ lines: [], last: 0 }), { lines: range(1, Limit), last: 4000 })
    expect(tail?.next).toBe(Limit)
  })

  it('skips what the filter hides', () => {
    expect(appended(begun({ lines: [line(1)], last: 1 }), { lines: [], last: 90 })?.next).toBe(90)
  })

  it('tells that the server has begun anew', () => {
    expect(appended(begun({ lines: [line(500)], last: 500 }), { lines: [], last: 3 })).toBeNull()
  })

  it('keeps no more lines than the server', () => {
    let tail: Tail | null = begun({ lines: range(1, 1000), last: 1000 })
    for (let at = 1; at < 7; at++) tail = tail && appended(tail, { lines: range(at * 1000 + 1, 1000), last: 9000 })
    expect(tail?.lines.length).toBe(5000)
    expect(tail?.lines.at(-1)?.id).toBe(7000)
  })

  it('offers categories with what stands above them', () => {
    expect(categoriesOf([line(1), line(2, 'NzbDav.Host')])).toEqual(['NzbDav', 'NzbDav.Host', 'NzbDav.Usenet', 'NzbDav.Usenet.Pool'])
  })
})

import { describe, expect, it } from 'vitest'
import { moved } from './keys'
import { gap } from './useRowDrag'

const press = (key: string, with_: Partial<KeyboardEvent> = {}) => ({ key, altKey: false, ctrlKey: false, metaKey: false, ...with_ })

describe('keys of a grid', () => {
  it('move by row, by page and to the ends, and stay inside', () => {
    expect(moved(press('ArrowDown'), 3, 10, 5)).toBe(4)
    expect(moved(press('ArrowUp'), 0, 10, 5)).toBe(0)
    expect(moved(press('PageDown'), 3, 10, 5)).toBe(7)
    expect(moved(press('End'), 3, 10, 5)).toBe(9)
    expect(moved(press('Home'), 3, 10, 5)).toBe(0)
    expect(moved(press('ArrowDown', { ctrlKey: true }), 3, 10, 5)).toBe(9)
  })

  it('leave keys alone that mean something else', () => {
    expect(moved(press('ArrowUp', { altKey: true }), 3, 10, 5)).toBeNull()
    expect(moved(press('a'), 3, 10, 5)).toBeNull()
    expect(moved(press('ArrowDown'), 0, 0, 5)).toBeNull()
  })
})

describe('the gap under a pointer', () => {
  it('is the nearest between two rows, and within the list', () => {
    expect(gap(17, 36, 10)).toBe(0)
    expect(gap(19, 36, 10)).toBe(1)
    expect(gap(-40, 36, 10)).toBe(0)
    expect(gap(9999, 36, 10)).toBe(10)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { keepPosition, readPositions, remembered, type Positions } from './positions'

describe('positions', () => {
  it('are kept from the first half minute to the last twentieth', () => {
    expect(remembered({}, 'a', 29, 6000, 1)).toEqual({})
    expect(remembered({}, 'a', 30, 6000, 1)).toEqual({ a: { at: 30, of: 6000, when: 1 } })
    expect(remembered({ a: { at: 30, of: 6000, when: 1 } }, 'a', 5700, 6000, 2)).toEqual({})
    expect(remembered({}, 'a', 100, NaN, 1)).toEqual({})
  })

  it('are bounded: the oldest go first', () => {
    let positions: Positions = {}
    for (let at = 0; at < 310; at++) positions = remembered(positions, `f${at}`, 60, 6000, at)
    expect(Object.keys(positions)).toHaveLength(300)
    expect(positions.f9).toBeUndefined()
    expect(positions.f10).toBeDefined()
  })

  describe('in the browser', () => {
    beforeEach(() => localStorage.clear())

    it('come back', () => {
      keepPosition('a', 60, 6000)
      expect(readPositions().a).toMatchObject({ at: 60, of: 6000 })
    })

    it('do not break on what somebody else wrote', () => {
      localStorage.setItem('nzbdav.positions', '[broken')
      expect(readPositions()).toEqual({})
    })
  })
})

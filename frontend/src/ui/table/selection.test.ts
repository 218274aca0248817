import { describe, expect, it } from 'vitest'
import { everything, has, nothing, ranged, size, toggled, without } from './selection'

const ids = ['a', 'b', 'c', 'd', 'e']
const only = (id: string, index: number) => toggled(nothing, id, index, () => ids)
const idAt = (index: number) => ids[index]

describe('selection', () => {
  it('takes a range from the row that was chosen last, in both directions', () => {
    const first = only('c', 2)
    expect([...ranged(first, 4, idAt).ids]).toEqual(['c', 'd', 'e'])
    expect([...ranged(ranged(first, 4, idAt), 0, idAt).ids]).toEqual(['a', 'b', 'c'])
  })

  it('leaves rows out of a range that are not loaded', () => {
    expect([...ranged(only('a', 0), 2, (index) => (index === 1 ? undefined : ids[index])).ids]).toEqual(['a', 'c'])
  })

  it('adds and removes single rows', () => {
    const two = toggled(only('a', 0), 'b', 1, () => ids)
    expect([...two.ids]).toEqual(['a', 'b'])
    expect([...toggled(two, 'a', 0, () => ids).ids]).toEqual(['b'])
  })

  it('counts everything by the total of the filter', () => {
    const all = everything(nothing)
    expect(size(all, 412)).toBe(412)
    expect(has(all, 'never loaded')).toBe(true)
  })

  it('falls back to the loaded rows when one is taken out of everything', () => {
    const rest = toggled(everything(nothing), 'b', 1, () => ids)
    expect(rest.all).toBe(false)
    expect([...rest.ids]).toEqual(['a', 'c', 'd', 'e'])
  })

  it('forgets rows that are gone', () => {
    const two = toggled(only('a', 0), 'b', 1, () => ids)
    expect([...without(two, ['a', 'x']).ids]).toEqual(['b'])
    expect(without(two, ['x'])).toBe(two)
  })
})

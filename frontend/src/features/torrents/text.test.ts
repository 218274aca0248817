import { describe, expect, it } from 'vitest'
import { de } from './text.de'
import { en } from './text.en'

describe('counts of a swarm', () => {
  it('are singular for one', () => {
    expect([en.peersOf('1', 1), en.swarmOf(1, 1), en.downloads(1)]).toEqual(['1 (1 seed)', '1 seed, 1 leecher', 'downloaded 1 time'])
    expect([de.peersOf('1', 1), de.swarmOf(1, 1)]).toEqual(['1 (1 Seed)', '1 Seed, 1 Leecher'])
  })

  it('are plural for none and many', () => {
    expect([en.peersOf('12', 0), en.swarmOf(1200, 2), en.downloads(8123)]).toEqual(['12 (0 seeds)', '1,200 seeds, 2 leechers', 'downloaded 8,123 times'])
    expect(de.downloads(8123)).toBe('8.123-mal geladen')
  })
})

import { describe, expect, it } from 'vitest'
import type { Provider } from '~/api/types'
import { inOrder, outcomes } from './figures'

describe('outcomes', () => {
  it('are the shares of those that happened, found first', () => {
    expect(outcomes({ found: 90, missing: 5, damaged: 0, timedOut: 3, lost: 2 })).toEqual([
      { outcome: 'found', share: 0.9 }, { outcome: 'missing', share: 0.05 }, { outcome: 'timedOut', share: 0.03 }, { outcome: 'lost', share: 0.02 },
    ])
  })

  it('are none of nothing', () => {
    expect(outcomes({ found: 0, missing: 0, damaged: 0, timedOut: 0, lost: 0 })).toEqual([])
  })
})

describe('inOrder', () => {
  it('puts those that are spared last, whatever their priority', () => {
    const made = (number: number, rest: Partial<Provider>) => ({ number, priority: 0, isBlock: false, backupOnly: false, ...rest }) as Provider
    const providers = [made(0, { isBlock: true }), made(1, { backupOnly: true }), made(2, { priority: 5 }), made(3, {})]
    expect(inOrder(providers).map((provider) => provider.number)).toEqual([3, 2, 1, 0])
  })
})

import { describe, expect, it } from 'vitest'
import { fieldsOf, policyOf } from './policy'

const none = { keep: null, ratio: null, seedMinutes: null, idleMinutes: null, atLimit: null }

describe('a policy in its form', () => {
  it('is empty where the category decides', () => {
    expect(fieldsOf(none)).toEqual({ keep: '', ratio: '', seedMinutes: '', idleMinutes: '', atLimit: '' })
    expect(policyOf(fieldsOf(none))).toEqual(none)
  })

  it('keeps 0, "no limit" and every action on the way to the server', () => {
    for (const policy of [
      { keep: true, ratio: 0, seedMinutes: 0, idleMinutes: 0, atLimit: 'stop' }, { keep: false, ratio: -1, seedMinutes: -1, idleMinutes: -1, atLimit: 'remove' },
      { ...none, idleMinutes: 60, atLimit: 'removeData' },
    ] as const) expect(policyOf(fieldsOf(policy))).toEqual(policy)
  })
})

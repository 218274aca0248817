import { describe, expect, it } from 'vitest'
import { refusalOf } from './useSignIn'

const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers: new Headers(headers) })

describe('refusalOf', () => {
  it('is a wrong password for 401', () => {
    expect(refusalOf(answer(401), { error: 'The name or the password is wrong.' })).toEqual({ kind: 'wrong' })
  })

  it('waits as long as the server says, and a minute if it does not', () => {
    expect(refusalOf(answer(429, { 'Retry-After': '30' }), {}, 1000)).toEqual({ kind: 'slow', until: 31_000 })
    expect(refusalOf(answer(429), {}, 1000)).toEqual({ kind: 'slow', until: 61_000 })
  })

  it('tells anything else in the words of the server', () => {
    const refusal = refusalOf(answer(503), { error: 'The server stops.' })
    expect(refusal.kind === 'other' && refusal.error.message).toBe('The server stops.')
  })
})

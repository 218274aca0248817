import { describe, expect, it } from 'vitest'
import { following, present } from './steps'

const nothing = { user: false, provider: false, webdav: false, played: false, arrs: false, arrAnswers: false }

describe('present', () => {
  it('is the account while the server knows nobody, whatever the address asks for', () => {
    expect(present('arrs', undefined)).toBe('account')
  })

  it('is the first step that is not done, and the end if all are', () => {
    expect(present(undefined, { ...nothing, user: true })).toBe('provider')
    expect(present(undefined, { ...nothing, user: true, provider: true })).toBe('play')
    expect(present(undefined, { ...nothing, user: true, provider: true, webdav: true, arrs: true })).toBe('arrs')
    expect(present(undefined, { ...nothing, user: true, provider: true, webdav: true, arrs: true, arrAnswers: true })).toBe('over')
  })

  it('follows the address', () => {
    expect(present('arrs', { ...nothing, user: true })).toBe('arrs')
    expect(present('nonsense', { ...nothing, user: true })).toBe('provider')
  })
})

describe('following', () => {
  it('ends behind the last step', () => {
    expect(following('provider')).toBe('play')
    expect(following('arrs')).toBe('over')
  })
})

import { describe, expect, it } from 'vitest'
import { setting } from './fakes'
import { freeNumber, instancesOf, removed, restored, type Instance } from './instances'

const template = [setting('Arrs:#:Url'), setting('Arrs:#:ApiKey', { kind: 'secret' })]
const mine = [setting('Arrs:0:Url', { value: 'http://a', isSet: true, source: 'stored' }), setting('Arrs:0:ApiKey', { kind: 'secret', isSet: true, source: 'stored' }), setting('Arrs:0:Name')]
const locked = [setting('Arrs:2:Url', { value: 'http://c', isSet: true, source: 'environment' })]

describe('instancesOf', () => {
  it('finds what is configured and what the draft adds, by number', () => {
    const all = instancesOf('Arrs', [...locked, ...mine, setting('Other')], template, { 'Arrs:1:Url': 'http://b' })
    expect(all.map((one) => [one.number, one.isNew, one.isLocked])).toEqual([[0, false, false], [1, true, false], [2, false, true]])
    expect(all[1]?.settings.map((one) => [one.path, one.environment])).toEqual([['Arrs:1:Url', 'NzbDav__Arrs__1__Url'], ['Arrs:1:ApiKey', 'NzbDav__Arrs__1__ApiKey']])
  })

  it('removes by taking all that is set back, and restores', () => {
    const [first] = instancesOf('Arrs', mine, template, {}) as [Instance]
    const draft = removed({ 'Arrs:0:Name': 'x' }, first)
    expect(draft).toEqual({ 'Arrs:0:Url': null, 'Arrs:0:ApiKey': null })
    expect(instancesOf('Arrs', mine, template, draft)[0]?.isRemoved).toBe(true)
    expect(restored(draft, first)).toEqual({})
  })

  it('forgets a new one whole', () => {
    const [, added] = instancesOf('Arrs', mine, template, { 'Arrs:1:Url': 'b', Other: 'x' }) as [Instance, Instance]
    expect(removed({ 'Arrs:1:Url': 'b', Other: 'x' }, added)).toEqual({ Other: 'x' })
  })

  it('fills the first gap', () => {
    expect(freeNumber(instancesOf('Arrs', [...mine, ...locked], template, {}))).toBe(1)
  })
})

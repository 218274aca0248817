import { describe, expect, it } from 'vitest'
import { changed, changesOf, faultOf, isDefault, pruned, strayFaults, valueOf } from './draft'
import { setting } from './fakes'
import { listOf, listValue } from './setting'

const workers = setting('Import:Workers', { kind: 'number', default: '4', least: 1, most: 16 })
const stored = setting('Import:Workers', { kind: 'number', default: '4', value: '8', isSet: true, source: 'stored' })

describe('changed', () => {
  it('holds a value that differs from the one that is set', () => {
    expect(changed({}, stored, '9')).toEqual({ 'Import:Workers': '9' })
  })

  it('lets go of a value that is typed back', () => {
    expect(changed({ 'Import:Workers': '9' }, stored, '8')).toEqual({})
  })

  it('counts the default as no change while nothing is set', () => {
    expect(changed({}, workers, '4')).toEqual({})
  })

  it('counts going back to the default as a change when something is set', () => {
    expect(changed({}, stored, null)).toEqual({ 'Import:Workers': null })
  })

  it('takes what is empty for not set', () => {
    expect(changed({}, setting('Name', { value: 'x', isSet: true, source: 'stored' }), '')).toEqual({ Name: null })
  })

  it('never changes what the environment sets', () => {
    expect(changed({}, setting('Name', { value: 'x', isSet: true, source: 'environment' }), 'y')).toEqual({})
  })

  it('takes any new secret, as the old one is not known', () => {
    const secret = setting('Password', { kind: 'secret', isSet: true, source: 'stored' })
    expect(changed({}, secret, 'geheim')).toEqual({ Password: 'geheim' })
    expect(changed({}, secret, null)).toEqual({ Password: null })
    expect(changed({}, { ...secret, isSet: false, source: 'default' }, null)).toEqual({})
  })

  it.each([
    ['flag', 'True', 'true'],
    ['list', 'a, b', 'a,b'],
    ['number', '08', '8'],
  ] as const)('compares a %s by its meaning', (kind, before, after) => {
    expect(changed({}, setting('X', { kind, value: before, isSet: true, source: 'stored' }), after)).toEqual({})
  })

  it('tells an empty list from one that is not set', () => {
    const list = setting('X', { kind: 'list', default: 'a' })
    expect(changed({}, list, listValue([]))).toEqual({ X: 'none' })
    expect(listOf('none')).toEqual([])
  })
})

describe('valueOf', () => {
  it('shows the change, else what is set, else the default', () => {
    expect(valueOf(workers, {})).toBe('4')
    expect(valueOf(stored, {})).toBe('8')
    expect(valueOf(stored, { 'Import:Workers': '9' })).toBe('9')
    expect(valueOf(stored, { 'Import:Workers': null })).toBe('4')
  })

  it('knows whether the default holds', () => {
    expect(isDefault(workers, {})).toBe(true)
    expect(isDefault(stored, {})).toBe(false)
    expect(isDefault(stored, { 'Import:Workers': null })).toBe(true)
    expect(isDefault(workers, { 'Import:Workers': '9' })).toBe(false)
  })
})

describe('pruned', () => {
  it('drops what others have saved meanwhile and keeps the rest', () => {
    expect(pruned({ 'Import:Workers': '8', Name: 'x' }, [stored, setting('Name')])).toEqual({ Name: 'x' })
  })

  it('keeps values of what is new, not their removal', () => {
    expect(pruned({ 'Arrs:0:Url': 'http://a', 'Arrs:1:Url': null }, [])).toEqual({ 'Arrs:0:Url': 'http://a' })
  })
})

describe('changesOf', () => {
  it('gives values before and after, in the order of the settings', () => {
    const changes = changesOf({ 'Arrs:0:Url': 'http://a', Name: 'y', 'Import:Workers': null }, [stored, setting('Name', { title: 'Its name', value: 'x', isSet: true, source: 'stored' })])
    expect(changes.map((change) => [change.title, change.before, change.after])).toEqual([['Import:Workers', '8', '4'], ['Its name', 'x', 'y'], ['Arrs:0:Url', null, 'http://a']])
  })

  it('never shows a secret, not even one of something new', () => {
    const changes = changesOf({ Password: 'p1', 'Arrs:0:ApiKey': 'p2', 'Import:Passwords:3': 'p3' }, [setting('Password', { kind: 'secret' }), setting('Import:Passwords:3', { kind: 'secret' })])
    expect(JSON.stringify(changes)).not.toMatch(/p[123]"/)
    expect(changes.every((change) => change.kind === 'secret')).toBe(true)
  })
})

describe('faults', () => {
  const faults = [{ path: 'import:workers', message: 'Too many.' }, { path: 'WebDav', message: 'Together.' }]

  it('stand beside their field in whatever case', () => {
    expect(faultOf(faults, 'Import:Workers')).toBe('Too many.')
    expect(faultOf(faults, 'Name')).toBeNull()
  })

  it('are told apart when they have no field', () => {
    expect(strayFaults(faults, [workers])).toEqual([{ path: 'WebDav', message: 'Together.' }])
  })
})

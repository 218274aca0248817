import { describe, expect, it } from 'vitest'
import type { Setting, SettingsAnswer } from '~/api/types'
import { setting } from '~/ui/setting/fakes'
import { changesByGroup, groupsOf, searched, titleOf } from './groups'

const of = (path: string, part: Partial<Setting>) => ({ ...setting(path), defaultNote: null, ...part })
const answer: SettingsAnswer = {
  groups: [{ id: 'imports', title: 'Imports' }, { id: 'access', title: 'Access' }],
  settings: [
    of('Access:Hsts', { group: 'access', title: 'Only HTTPS' }),
    of('Import:Workers', { group: 'imports', title: 'Jobs at a time', description: 'More need more memory.' }),
    of('Arrs:0:Url', { group: 'arrs', title: 'Address' }),
    of('New:BudgetMiB', { group: '', title: '' }),
  ],
  provider: [], arr: [], password: [], ignored: [], unapplied: [],
}
const groups = groupsOf(answer, 'Other')

describe('groups of settings', () => {
  it('keep the order of the server, leave numbered ones out and lose none', () => {
    expect(groups.map((group) => [group.title, group.settings.map((each) => each.title)])).toEqual([['Imports', ['Jobs at a time']], ['Access', ['Only HTTPS']], ['Other', ['Budget mi b']]])
  })

  it('are searched by title, meaning, path and variable, all words', () => {
    const paths = (query: string) => searched(groups, query).flatMap((group) => group.settings.map((each) => each.path))
    expect(paths('JOBS memory')).toEqual(['Import:Workers'])
    expect(paths('nzbdav__access')).toEqual(['Access:Hsts'])
    expect(paths('jobs https')).toEqual([])
  })

  it('count the changes, those of numbered things included', () => {
    expect([...changesByGroup({ 'Import:Workers': '2', 'Import:Passwords:0': 'x', 'Arrs:0:Url': null }, groups)]).toEqual([['imports', 2], ['arrs', 1]])
  })

  it('make a title of a path where there is none', () => {
    expect(titleOf('Usenet:LineMegabits')).toBe('Line megabits')
  })
})

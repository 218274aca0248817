import { describe, expect, it } from 'vitest'
import type { Setting, SettingsAnswer } from '~/api/types'
import { setting } from '~/ui/setting/fakes'
import { basicsOf, changesByGroup, groupsOf, searched, titleOf } from './groups'

const of = (path: string, part: Partial<Setting>) => ({ ...setting(path), defaultNote: null, ...part })
const answer: SettingsAnswer = {
  groups: [{ id: 'imports', title: 'Imports' }, { id: 'access', title: 'Access' }],
  settings: [
    of('Access:Hsts', { group: 'access', title: 'Only HTTPS' }),
    of('Import:Workers', { group: 'imports', title: 'Jobs at a time', description: 'More need more memory.' }),
    of('Arrs:0:Url', { group: 'arrs', title: 'Address' }),
    of('New:BudgetMiB', { group: '', title: '' }),
  ],
  provider: [], arr: [], indexer: [], password: [], ignored: [], unapplied: [],
}
const groups = groupsOf(answer, 'Other')

describe('groups of settings', () => {
  it('keep the order of the server, leave numbered ones out and lose none', () => {
    expect(groups.map((group) => [group.title, group.settings.map((each) => each.title)])).toEqual([['Imports', ['Jobs at a time']], ['Access', ['Only HTTPS']], ['Other', ['Budget mi b']]])
  })

  it('begin with the few that most people look for', () => {
    const all = groupsOf({ ...answer, groups: [{ id: 'providers', title: 'Providers' }, ...answer.groups, { id: 'players', title: 'Players' }], settings: [...answer.settings, of('Import:Categories', { group: 'imports' }), of('WebDav:Password', { group: 'players' })] }, 'Other')
    expect(basicsOf(all).map((group) => [group.id, group.settings.map((each) => each.path)])).toEqual([['providers', []], ['imports', ['Import:Categories']], ['players', ['WebDav:Password']]])
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

// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { setting } from './fakes'
import { german } from './german'
import { translated } from './translated'

/** What the server's document says of its settings: one row each, by group. */
const rows = [...readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8').matchAll(/<!-- settings: (\w+) -->\n(.*?)<!-- \/settings -->/gs)]
  .flatMap(([, group = '', table = '']) => table.split('\n').filter((line) => line.startsWith('| `')).map((line) => {
    const [, name = '', range = '', byDefault = ''] = line.split(/(?<!\\) ?\| ?/)
    return { group, path: name.replaceAll('`', '').replace(/^NzbDav__/, '').split('__').map((part) => (part === 'N' ? '#' : part)).join(':'), range, byDefault }
  }))

describe('the German settings', () => {
  it('are those of the server: none is missing, none is left over', () => {
    expect(rows.length).toBeGreaterThan(80)
    expect(Object.keys(german.settings).sort()).toEqual(rows.map((row) => row.path).sort())
    expect(Object.keys(german.groups).sort()).toEqual([...new Set(rows.map((row) => row.group))].sort())
  })

  it.each(rows)('say of $path what it is called and what it does', ({ path }) => {
    const words = german.settings[path]
    expect(words?.title).toMatch(/\S/)
    expect(words?.description).toMatch(/^\S.*\.$/)
    expect(`${words?.title ?? ''} ${words?.description ?? ''}`).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich|Ihnen|Ihr\w*)\b/)
  })

  it('name every unit', () => {
    const units = rows.flatMap(({ range }) => /^-?\d+ … \d+ (.+)$/.exec(range)?.[1] ?? [])
    expect(Object.keys(german.units).sort()).toEqual([...new Set(units)].sort())
  })

  it('name every choice', () => {
    const choices = rows.flatMap(({ path, range }) => (german.settings[path]?.choices === undefined ? [] : [[path, range.split(', ').sort()]]))
    expect(choices.map(([path]) => path)).toEqual(rows.filter(({ range }) => /^[\w/]+(, [\w/]+)+$/.test(range) && range !== 'true, false').map(({ path }) => path))
    for (const [path, values] of choices) expect(Object.keys(german.settings[String(path)]?.choices ?? {}).sort()).toEqual(values)
  })

  it('say every default that the server says in words', () => {
    const noted = rows.filter(({ byDefault }) => byDefault.includes(' ') || byDefault === 'required').map(({ path }) => path)
    expect(Object.entries(german.settings).filter(([, words]) => words.defaultNote !== undefined).map(([path]) => path).sort()).toEqual(noted.sort())
  })
})

describe('settings in another language', () => {
  const answer = {
    groups: [{ id: 'access', title: 'Access and sign-in' }, { id: 'new', title: 'New things' }],
    settings: [
      setting('Usenet:Providers:12:Host', { title: 'Server', description: 'Where to connect.', defaultNote: 'required' }),
      setting('Access:LanRights', { kind: 'choice', choices: [{ value: 'full', title: 'Everything' }, { value: 'new', title: 'New' }] }),
      setting('Backup:EveryHours', { kind: 'number', unit: 'hours' }),
      setting('New:Thing', { title: 'A new thing', description: 'Not translated yet.', unit: 'parsecs' }),
    ],
    provider: [setting('Usenet:Providers:#:Port', { defaultNote: '563 with TLS, 119 without' })], arr: [setting('Arrs:#:Url')], indexer: [setting('Search:Indexers:#:Url')], password: [setting('Import:Passwords:#')],
  }
  const shown = translated(answer, german)

  it('have titles, descriptions, notes, units, choices and groups of it, those of templates and numbered things too', () => {
    expect(shown.groups[0]?.title).toBe('Zugang und Anmeldung')
    expect(shown.settings[0]).toMatchObject({ description: 'Adresse, wie der Anbieter sie nennt: ohne Schema, Port und Pfad.', defaultNote: 'erforderlich' })
    expect(shown.settings[1]?.choices?.[0]).toEqual({ value: 'full', title: 'Alles' })
    expect(shown.settings[2]?.unit).toBe('Stunden')
    expect([shown.provider[0]?.defaultNote, shown.arr[0]?.title, shown.password[0]?.title]).toEqual(['563 mit TLS, 119 ohne', 'Adresse', 'Passwort für Archive'])
  })

  it('keep the words of the server where the catalogue has none', () => {
    expect(shown.groups[1]?.title).toBe('New things')
    expect(shown.settings[1]?.choices?.[1]?.title).toBe('New')
    expect(shown.settings[3]).toEqual(answer.settings[3])
  })
})

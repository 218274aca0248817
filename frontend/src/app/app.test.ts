import { describe, expect, it } from 'vitest'
import type { FileItem, Setting } from '~/api/types'
import { found } from './palette/found'
import { isFirstReload } from './reloads'
import { wanted } from './useShortcuts'

const press = (key: string, rest: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, target: document.body, ...rest })

describe('keys that work everywhere', () => {
  it('open search and help', () => {
    expect(wanted(press('k', { ctrlKey: true }))).toBe('search')
    expect(wanted(press('/'))).toBe('field')
    expect(wanted(press('?'))).toBe('keys')
    expect(wanted(press('a'))).toBeNull()
  })

  it('belong to a field that one types into', () => {
    const field = document.createElement('input')
    expect(wanted(press('?', { target: field }))).toBeNull()
    expect(wanted(press('/', { target: field }))).toBeNull()
    expect(wanted(press('k', { target: field, ctrlKey: true }))).toBe('search')
  })
})

describe('search over all', () => {
  const pages = [{ to: '/jobs', label: 'Jobs' }, { to: '/settings', label: 'Settings' }]
  const settings = [{ path: 'Usenet:MemoryMegabytes', title: 'Buffer memory', description: 'Holds article bytes.' }] as Setting[]
  const file = (kind: FileItem['kind'], path: string) => ({ id: path, kind, path, name: path.slice(path.lastIndexOf('/') + 1) }) as FileItem

  it('finds by all words, in title, path and description', () => {
    expect(found('buffer article', { pages, settings, files: [] }).map((one) => one.id)).toEqual(['Usenet:MemoryMegabytes'])
    expect(found('set', { pages, settings, files: [] }).map((one) => one.to)).toEqual(['/settings'])
    expect(found('', { pages, settings, files: [] })).toHaveLength(2)
  })

  it('leads to a folder, and to a file in its folder', () => {
    const [folder, film] = found('film', { pages: [], settings: [], files: [file('collection', '/content/movies/Film'), file('file', '/content/movies/Film/film.mkv')] })
    expect(folder?.search).toEqual({ path: '/content/movies/Film' })
    expect(film?.search).toEqual({ path: '/content/movies/Film', selected: '/content/movies/Film/film.mkv' })
  })
})

it('a page reloads itself once for each file that is gone', () => {
  const kept = new Map<string, string>()
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) }
  expect(['a.js', 'a.js', 'b.js', 'a.js', 'b.js'].map((url) => isFirstReload(url, storage))).toEqual([true, false, true, false, false])
})

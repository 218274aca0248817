import { describe, expect, it } from 'vitest'
import type { FileItem, Job, Provider, Setting, Torrent } from '~/api/types'
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

  it('puts what is called so before what only mentions it, whatever kind it is of', () => {
    const mentions = [{ path: 'Access:Demo', title: 'Without password', description: 'Lets everybody in, as in the demo.' }] as Setting[]
    const file = { id: '7', kind: 'file', path: '/content/Demo.mkv', name: 'Demo.mkv' } as FileItem
    expect(found('demo', { pages, settings: mentions, files: [file] }).map((one) => one.group)).toEqual(['files', 'settings'])
    const named = [{ path: 'X', title: 'A pause', description: '' }, { path: 'Y', title: 'Pause at night', description: '' }] as Setting[]
    expect(found('pause', { pages, settings: named, files: [] }).map((one) => one.id)).toEqual(['Y', 'X'])
  })

  it('finds jobs, torrents, providers and what can be done', () => {
    const run = () => undefined
    const all = found('ember', {
      pages: [], settings: [], files: [], actions: [{ id: 'a', label: 'Ember colours', run }], jobs: [{ id: '1', name: 'Ember 2024', category: 'movies' } as Job],
      torrents: [{ infoHash: 'ff', name: 'The Ember' } as Torrent], providers: [{ number: 0, name: 'news', host: 'news.ember.example' } as Provider],
    })
    expect(all.map((one) => one.group)).toEqual(['actions', 'jobs', 'torrents', 'providers'])
    expect(all[0]?.run).toBe(run)
    expect(all.slice(1).map((one) => [one.to, one.search])).toEqual([['/jobs', { job: '1' }], ['/torrents', { selected: 'ff' }], ['/providers', {}]])
  })

  it('keeps what the server found, although the words stand nowhere in its name', () => {
    const file = { id: '7', kind: 'file', path: '/content/Übung.mkv', name: 'Übung.mkv' } as FileItem
    expect(found('ubung', { pages, settings, files: [file] }).map((one) => one.id)).toEqual(['7'])
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

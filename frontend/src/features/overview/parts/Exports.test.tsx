import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Status } from '~/api/types'
import { LanguageProvider } from '~/ui/text/language'
import { Exports } from './Exports'

type Export = Status['exports'][number]

const movies: Export = { category: 'movies', folder: '/library/movies', kind: 'strm', details: true, state: 'current', files: 1204, reason: null }
const tv: Export = { category: 'tv', folder: '/library/tv', kind: 'symlinks', details: false, state: 'failed', files: null, reason: '/library/tv does not exist. Is it mounted?' }

function show(exports: Export[], language: 'en' | 'de' = 'en') {
  render(<MantineProvider><LanguageProvider initial={language}><Exports exports={exports} /></LanguageProvider></MantineProvider>)
}

describe('the folders that are kept in step', () => {
  afterEach(cleanup)

  it('are not there where none is set', () => {
    show([])
    expect(screen.queryByRole('region')).toBeNull()
  })

  it('say what is in them, how they stand, and what is wrong', () => {
    show([movies, tv])
    const [first, second] = within(screen.getByRole('region', { name: 'Library folders' })).getAllByRole('listitem')
    expect(first?.textContent).toBe('moviesUp to date/library/movies.strm files · with .nfo files · 1,204 files')
    expect(second?.textContent).toBe('tvNot up to date/library/tvSymbolic links/library/tv does not exist. Is it mounted? Tried again every minute.')
    expect(screen.getAllByRole('status')).toHaveLength(1)
  })

  it('do not promise another try where files of somebody else are in the way', () => {
    show([{ ...movies, state: 'incomplete', reason: '2 files could not be written.' }])
    expect(screen.getByText('Incomplete')).toBeDefined()
    expect(screen.getByRole('status').textContent).toBe('2 files could not be written.')
  })

  it('speak German', () => {
    show([movies, { ...tv, state: 'waiting', reason: null }], 'de')
    const [first, second] = within(screen.getByRole('region', { name: 'Bibliotheksordner' })).getAllByRole('listitem')
    expect(first?.textContent).toBe('moviesAktuell/library/movies.strm-Dateien · mit .nfo-Dateien · 1.204 Dateien')
    expect(second?.textContent).toBe('tvNoch nicht angesehen/library/tvSymbolische Links')
  })
})

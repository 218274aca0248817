import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { TorrentDetails } from '~/api/types'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { Share } from './Share'

type Policy = NonNullable<TorrentDetails['share']>
const forever: Policy = {
  keep: true, cause: 'category', ratio: null, seedMinutes: null, idleMinutes: null, needsBoth: false, atLimit: 'stop', progress: null, own: { keep: null, ratio: null, seedMinutes: null, idleMinutes: null, atLimit: null },
}
const said = (share: Partial<Policy>, language: Language = 'en') => texts(share, language).at(-1)
const texts = (share: Partial<Policy>, language: Language = 'en', isPrivate = false) => {
  const { container } = render(<LanguageProvider initial={language}><MantineProvider><Share share={{ ...forever, ...share }} isPrivate={isPrivate} /></MantineProvider></LanguageProvider>)
  return [...container.querySelectorAll('p')].slice(0, 2).map((line) => line.textContent.replaceAll('\u00a0', ' '))
}

describe('how long a torrent is seeded', () => {
  afterEach(cleanup)

  it('says whether either or both of ratio and time count, and what comes then', () => {
    expect(said({})).toBe('Seeded without limit.')
    expect(said({ ratio: 2, seedMinutes: 120 })).toBe('Seeded until it reaches a ratio of 2, or 2 hr of seeding. Then it stops.')
    expect(said({ ratio: 2, seedMinutes: 120, needsBoth: true, idleMinutes: 30, atLimit: 'remove' })).toBe('Seeded until it reaches both a ratio of 2 and 2 hr of seeding, or 30 min without upload. Then it leaves the list and its files stay.')
    expect(said({ idleMinutes: 30, needsBoth: true, atLimit: 'removeData' })).toBe('Seeded until it reaches 30 min without upload. Then it is removed with its files.')
    expect(said({ ratio: 2, seedMinutes: 120, needsBoth: true, idleMinutes: 30 }, 'de')).toBe('Wird verteilt bis: sowohl Verhältnis 2 als auch 2 Std. Verteilzeit oder 30 Min. ohne Versand. Dann hält er an.')
  })

  it('says why a torrent is kept, and that a private one that is only streamed leaves its swarm', () => {
    expect(texts({ cause: 'private' })[0]).toBe('Kept, because it is private: its tracker expects that it is fetched whole and seeded.')
    expect(texts({ cause: 'limits', ratio: 2 })[0]).toBe('Kept, because the program that added it set limits for seeding.')
    expect(texts({ keep: false, cause: 'none' })).toEqual(['Only streamed: it leaves its swarm some time after the last reader, and is not seeded.'])
    expect(texts({ keep: false, cause: 'none' }, 'en', true)[1]).toMatch(/^It is private: /)
  })

  it('does not call it reached before it is', () => {
    said({ ratio: 2, progress: 0.999 })
    expect(screen.getByText(/reached$/).textContent).toMatch(/^99\s?% reached$/)
  })
})

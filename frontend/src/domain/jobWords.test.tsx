import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { useJobWords } from './jobWords'

const words = (language: Language) => renderHook(() => useJobWords(), {
  wrapper: ({ children }: { children: ReactNode }) => <LanguageProvider initial={language}>{children}</LanguageProvider>,
}).result.current

it('steps and reasons of jobs are named in the language of the page', () => {
  expect(words('de').step('validate')).toBe('kontrollieren')
  expect(words('en').step('validate')).toBe('check')
  expect(words('de').reason('missing-articles')[0]).toBe('Artikel sind verschwunden')
  expect(words('de').reason('a code of a newer server')[0]).toBe('Gescheitert')
  expect([words('de').step(null), words('de').step('new')]).toEqual(['', 'new'])
})

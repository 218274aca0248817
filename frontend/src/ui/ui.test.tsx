import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { topOf } from './chart/axis'
import { ReleaseName } from './ReleaseName'
import { inKeys } from './text/keys'

afterEach(cleanup)

it('a name is one text, which the browser finds and copies whole', () => {
  const name = 'Some.Show.S01E02.1080p.WEB.h264-GROUP'
  const { container } = render(<ReleaseName name={name} />)
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  expect(walker.nextNode()?.textContent).toBe(name)
  expect(walker.nextNode()).toBeNull()
})

it('an axis reaches to a tenth more than its values, and to the least that tells something', () => {
  expect(topOf(0, 1_000_000)).toBe(1_000_000)
  expect(topOf(20_000_000, 1_000_000)).toBeCloseTo(22_000_000)
})

it('keys have the names of the system', () => {
  expect(inKeys('Press Ctrl+C, or Strg V.', true)).toBe('Press ⌘C, or ⌘ V.')
  expect(inKeys('Press Ctrl+C.', false)).toBe('Press Ctrl+C.')
})

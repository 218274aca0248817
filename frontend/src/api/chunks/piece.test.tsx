import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { loadPiecesWhenIdle, piece } from './piece'

it('loads pieces when the page is idle, or when they are shown', async () => {
  let idle: () => void = () => undefined
  vi.stubGlobal('requestIdleCallback', (call: () => void) => { idle = call; return 1 })
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  const part = (name: string) => vi.fn(() => Promise.resolve({ default: () => <p>{name}</p> }))
  const [menu, late] = [part('menu'), part('late')]
  const keys = part('keys').mockRejectedValue(new Error('away'))
  const Menu = piece(menu)
  piece(keys)
  loadPiecesWhenIdle()
  expect(keys).not.toHaveBeenCalled()
  render(<Suspense><Menu /></Suspense>)
  await screen.findByText('menu')
  expect(menu).toHaveBeenCalledTimes(1)
  idle()
  expect(keys).toHaveBeenCalledTimes(1)
  piece(late)
  expect(late).toHaveBeenCalledTimes(1)
})

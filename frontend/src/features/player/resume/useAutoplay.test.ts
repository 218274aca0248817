import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useAutoplay } from './useAutoplay'

beforeEach(() => localStorage.clear())

it('is on at first, and stays as it was set', () => {
  const { result } = renderHook(useAutoplay)
  expect(result.current[0]).toBe(true)
  act(() => result.current[1](false))
  expect(result.current[0]).toBe(false)
  expect(renderHook(useAutoplay).result.current[0]).toBe(false)
  act(() => result.current[1](true))
  expect(renderHook(useAutoplay).result.current[0]).toBe(true)
})

it('holds for the file when the browser keeps nothing', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => { throw new DOMException('denied') })
  const { result } = renderHook(useAutoplay)
  act(() => result.current[1](false))
  expect(result.current[0]).toBe(false)
})

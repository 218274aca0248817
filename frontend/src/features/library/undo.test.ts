import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Undo, UndoTime } from './undo'

describe('Undo', () => {
  beforeEach(() => { vi.useFakeTimers() })
  afterEach(() => { vi.useRealTimers() })

  it('acts after the time', () => {
    const act = vi.fn()
    new Undo(() => undefined).later('a', act)
    vi.advanceTimersByTime(UndoTime - 1)
    expect(act).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(act).toHaveBeenCalledOnce()
  })

  it('does nothing that was taken back', () => {
    const [act, keys] = [vi.fn(), [] as string[][]]
    const undo = new Undo((all) => keys.push([...all]))
    undo.later('a', act)
    undo.back('a')
    vi.advanceTimersByTime(UndoTime * 2)
    expect(act).not.toHaveBeenCalled()
    expect(keys).toEqual([['a'], []])
  })

  it('acts once when the page is left within the time', () => {
    const act = vi.fn()
    const undo = new Undo(() => undefined)
    undo.later('a', act)
    undo.flush()
    vi.advanceTimersByTime(UndoTime * 2)
    expect(act).toHaveBeenCalledOnce()
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launch, Patience } from './launch'

describe('launch', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('says that nothing opened when the page still has the focus after its patience', async () => {
    const go = vi.fn()
    const opened = launch('iina://weblink?url=x', go)
    expect(go).toHaveBeenCalledWith('iina://weblink?url=x')
    await vi.advanceTimersByTimeAsync(Patience)
    await expect(opened).resolves.toBe(false)
  })

  it.each(['blur', 'pagehide'])('says that a player opened at %s', async (event) => {
    const opened = launch('iina://weblink?url=x', () => undefined)
    window.dispatchEvent(new Event(event))
    await expect(opened).resolves.toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})

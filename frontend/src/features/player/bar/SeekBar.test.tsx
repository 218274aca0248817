import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { VideoState } from '../screen/useVideoState'
import { SeekBar } from './SeekBar'

const film = (time: number) => ({ time, duration: 600, buffered: [] }) as unknown as VideoState

describe('the bar of the player', () => {
  afterEach(cleanup)

  it('stays where it was let go until the film is there, and seeks once', () => {
    const seek = vi.fn()
    const bar = (time: number) => <MantineProvider><SeekBar state={film(time)} onSeek={seek} /></MantineProvider>
    const { rerender } = render(bar(10))
    const range = screen.getByRole<HTMLInputElement>('slider')
    fireEvent.pointerDown(range)
    fireEvent.change(range, { target: { value: '300' } })
    expect(seek).not.toHaveBeenCalled()
    fireEvent.pointerUp(range)
    expect(range.value).toBe('300')

    // The browser tells the same value once more.
    fireEvent(range, new Event('change', { bubbles: true }))
    expect(seek).toHaveBeenCalledExactlyOnceWith(300)
    rerender(bar(10))
    expect(range.value).toBe('300')
    rerender(bar(300))
    expect(range.value).toBe('300')
    rerender(bar(301))
    expect(range.value).toBe('301')
  })

  it('seeks at once by a key', () => {
    const seek = vi.fn()
    render(<MantineProvider><SeekBar state={film(10)} onSeek={seek} /></MantineProvider>)
    fireEvent.change(screen.getByRole('slider'), { target: { value: '11' } })
    expect(seek).toHaveBeenCalledExactlyOnceWith(11)
  })
})

import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FileItem } from '~/api/types'
import { UpNext } from './UpNext'

const next: FileItem = { id: '2', parentId: '1', name: 'Show.S01E02.mkv', path: '/content/Show.S01E02.mkv', kind: 'file', size: 1, created: '', modified: '', contentType: null, jobId: null, playable: true }

describe('the countdown to the next file', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  it('begins it after ten seconds', () => {
    const onPlay = vi.fn()
    render(<MantineProvider><UpNext next={next} counts onPlay={onPlay} onCancel={vi.fn()} /></MantineProvider>)
    for (let second = 0; second < 9; second++) act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByText('Starts in 1 s')).toBeTruthy()
    expect(onPlay).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(1000))
    expect(onPlay).toHaveBeenCalledOnce()
  })

  it('waits to be asked when the next file does not begin by itself', () => {
    const onPlay = vi.fn()
    render(<MantineProvider><UpNext next={next} counts={false} onPlay={onPlay} onCancel={vi.fn()} /></MantineProvider>)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(onPlay).not.toHaveBeenCalled()
    expect(screen.queryByText(/Starts in/)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Play now' }))
    expect(onPlay).toHaveBeenCalledOnce()
  })

  it('can be cancelled', () => {
    const [onPlay, onCancel] = [vi.fn(), vi.fn()]
    const { unmount } = render(<MantineProvider><UpNext next={next} counts onPlay={onPlay} onCancel={onCancel} /></MantineProvider>)
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onCancel).toHaveBeenCalledOnce()
    unmount()
    vi.advanceTimersByTime(20_000)
    expect(onPlay).not.toHaveBeenCalled()
  })
})

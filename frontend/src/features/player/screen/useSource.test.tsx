import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { useSource } from './useSource'

const server = vi.hoisted((): { post: Mock } => ({ post: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { POST: server.post }, take: (answer: unknown) => answer }))

// What a query tells is drawn before the next line of a test.
notifyManager.setScheduler((tell) => tell())

let client: QueryClient
let video: HTMLVideoElement
let paused: boolean
let play: Mock

/** Each link has another address: its expiry is part of it. */
async function opened() {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const ref = { current: video }
  const { result } = renderHook(() => useSource('7', ref), { wrapper })
  await waitFor(() => expect(video.getAttribute('src')).toMatch(/link\/1$/))
  return result
}

/** The film has run for two minutes and its link ends. */
function expire() {
  video.currentTime = 120
  video.dispatchEvent(new Event('timeupdate'))
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response('{}', { status: 403 })))
  act(() => void video.dispatchEvent(new Event('error')))
}

beforeEach(() => {
  let made = 0
  server.post.mockReset().mockImplementation(() => Promise.resolve({ path: `link/${++made}` }))
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  video = document.createElement('video')
  paused = true
  play = vi.fn(() => {
    paused = false
    return Promise.resolve()
  })
  Object.defineProperties(video, { paused: { get: () => paused }, currentTime: { value: 0, writable: true } })
  Object.assign(video, { play, load: vi.fn(), pause: () => { paused = true } })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the address of what plays', () => {
  it('stays when everything is read anew', async () => {
    await opened()
    await act(() => client.invalidateQueries())
    expect(server.post).toHaveBeenCalledTimes(2)
    expect(video.getAttribute('src')).toMatch(/link\/1$/)
    expect(play).toHaveBeenCalledOnce()
  })

  it('is not one that is being replaced', async () => {
    client.setQueryData(['link', '7'], { path: 'link/old' }, { updatedAt: 0 })
    await opened()
    expect(play).toHaveBeenCalledOnce()
  })

  it('changes when its link has expired, and goes on from the same place', async () => {
    await opened()
    expire()
    await waitFor(() => expect(video.getAttribute('src')).toMatch(/link\/2$/))
    expect(play).toHaveBeenCalledTimes(2)
    video.currentTime = 0
    video.dispatchEvent(new Event('loadedmetadata'))
    expect(video.currentTime).toBe(120)
  })

  it('changes without starting a film that is paused', async () => {
    await opened()
    video.pause()
    expire()
    await waitFor(() => expect(video.getAttribute('src')).toMatch(/link\/2$/))
    expect(play).toHaveBeenCalledOnce()
  })

  it('stays with the failure when no new link can be had', async () => {
    const result = await opened()
    server.post.mockRejectedValue(new Error('There is no such file.'))
    expire()
    await waitFor(() => expect(result.current.failure).toMatchObject({ kind: 'http', status: 403 }))
  })
})

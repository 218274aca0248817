import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { setting } from '~/ui/setting/fakes'
import { useDraft } from '~/ui/setting/useDraft'
import { moved } from './moved'
import { useSave } from './useSave'

const server = vi.hoisted((): { patch: Mock } => ({ patch: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { PATCH: server.patch }, take: (answer: unknown) => answer }))
vi.mock('@mantine/notifications', () => ({ notifications: { show: () => undefined } }))

const [one, two, three] = [setting('One'), setting('Two'), setting('Three')]

function form() {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  return renderHook(() => {
    const state = useDraft(stored)
    return { state, ...useSave(state) }
  }, { wrapper }).result
}

/** Saves, until the server has the request. The promise is inside an object, because an async function waits for one that it returns. */
async function begin(result: ReturnType<typeof form>) {
  let done: Promise<boolean> | undefined
  act(() => void (done = result.current.save()))
  await vi.waitFor(() => expect(server.patch).toHaveBeenCalledOnce())
  return { done }
}

/** What the server answers a save, when it does. */
let answer: () => void

/** Refuses it. */
let refuse: () => void

/** The settings as the page knows them. */
let stored = [one, two, three]

beforeEach(() => {
  stored = [one, two, three]
  server.patch.mockReset().mockImplementation(() => new Promise((resolve, reject) => {
    answer = () => resolve({ settings: [] })
    refuse = () => reject(new Error('No space is left.'))
  }))
})

describe('the page, when the URL base changes', () => {
  const go = (here: string, root: string, before: string | null, after: string | null) => moved(new URL(here), new URL(root), before, after)

  it('goes to the same place below the new one', () => {
    expect(go('http://nas:8080/settings?q=UrlBase', 'http://nas:8080/', '', '/films')).toBe('http://nas:8080/films/settings?q=UrlBase')
    expect(go('http://nas/films/settings', 'http://nas/films/', 'films/', null)).toBe('http://nas/settings')
    expect(go('http://nas/a/b/settings', 'http://nas/a/b/', '/a/b', 'c')).toBe('http://nas/c/settings')
    expect(go('https://nas/outer/films/jobs', 'https://nas/outer/films/', '/films', '/shows')).toBe('https://nas/outer/shows/jobs')
  })

  it('stays where it is when nothing changes, or when a proxy has put it elsewhere', () => {
    expect(go('http://nas/films/settings', 'http://nas/films/', '/films', 'films')).toBeNull()
    expect(go('http://nas/other/settings', 'http://nas/other/', '/films', '/shows')).toBeNull()
  })
})

describe('saving the settings', () => {
  it('keeps what is typed while it is on its way', async () => {
    const result = form()
    act(() => {
      result.current.state.set(one, 'a')
      result.current.state.set(two, 'b')
    })
    const saved = await begin(result)
    act(() => {
      result.current.state.set(two, 'bc')
      result.current.state.set(three, 'd')
      result.current.state.setFaults([{ path: 'Usenet', message: 'There is no provider.' }])
    })
    await act(async () => {
      answer()
      expect(await saved.done).toBe(true)
    })
    expect(server.patch).toHaveBeenCalledExactlyOnceWith('/api/v1/settings', { body: { One: 'a', Two: 'b' } })
    expect(result.current.state.draft).toEqual({ Two: 'bc', Three: 'd' })
    expect(result.current.state.faults).toEqual([])
  })

  it('keeps a field that is set back while its change is on its way', async () => {
    const result = form()
    act(() => result.current.state.set(one, 'a'))
    const saved = await begin(result)
    act(() => result.current.state.set(one, null))
    stored = [{ ...one, value: 'a', source: 'stored', isSet: true }, two, three]
    await act(async () => {
      answer()
      expect(await saved.done).toBe(true)
    })
    expect(result.current.state.draft).toEqual({ One: null })
  })

  it('keeps a change that is taken back while it is on its way', async () => {
    const result = form()
    act(() => {
      result.current.state.set(one, 'a')
      result.current.state.set(two, 'b')
    })
    const saved = await begin(result)
    act(() => {
      result.current.state.forget('One')
      result.current.state.set(three, 'c')
      result.current.state.set(three, null)
    })
    stored = [{ ...one, value: 'a', source: 'stored', isSet: true }, { ...two, value: 'b', source: 'stored', isSet: true }, three]
    await act(async () => {
      answer()
      expect(await saved.done).toBe(true)
    })
    expect(result.current.state.draft).toEqual({ One: null })

    // What was never sent and is as it was does not come up later.
    stored = [...stored.slice(0, 2), { ...three, value: 'd', source: 'stored', isSet: true }]
    act(() => result.current.state.set(two, 'e'))
    expect(result.current.state.draft).toEqual({ One: null, Two: 'e' })
  })

  it('leaves no change behind when a save fails', async () => {
    const result = form()
    act(() => result.current.state.set(one, 'a'))
    const saved = await begin(result)
    act(() => result.current.state.set(one, null))
    await act(async () => {
      refuse()
      expect(await saved.done).toBe(false)
    })
    stored = [{ ...one, value: 'b', source: 'stored', isSet: true }, two, three]
    act(() => result.current.state.set(two, 'c'))
    expect(result.current.state.draft).toEqual({ Two: 'c' })
  })
})

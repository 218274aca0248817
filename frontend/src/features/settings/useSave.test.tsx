import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { setting } from '~/ui/setting/fakes'
import { useDraft } from '~/ui/setting/useDraft'
import { useSave } from './useSave'

const server = vi.hoisted((): { patch: Mock } => ({ patch: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { PATCH: server.patch }, take: (answer: unknown) => answer }))
vi.mock('@mantine/notifications', () => ({ notifications: { show: () => undefined } }))

const [one, two, three] = [setting('One'), setting('Two'), setting('Three')]

function form() {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  return renderHook(() => {
    const state = useDraft([one, two, three])
    return { state, ...useSave(state) }
  }, { wrapper }).result
}

/** What the server answers a save, when it does. */
let answer: () => void

beforeEach(() => {
  server.patch.mockReset().mockImplementation(() => new Promise((resolve) => { answer = () => resolve({ settings: [] }) }))
})

describe('saving the settings', () => {
  it('keeps what is typed while it is on its way', async () => {
    const result = form()
    act(() => {
      result.current.state.set(one, 'a')
      result.current.state.set(two, 'b')
    })
    let saved: Promise<boolean> | undefined
    act(() => void (saved = result.current.save()))
    await vi.waitFor(() => expect(server.patch).toHaveBeenCalledOnce())
    act(() => {
      result.current.state.set(two, 'bc')
      result.current.state.set(three, 'd')
      result.current.state.setFaults([{ path: 'Usenet', message: 'There is no provider.' }])
    })
    await act(async () => {
      answer()
      expect(await saved).toBe(true)
    })
    expect(server.patch).toHaveBeenCalledExactlyOnceWith('/api/v1/settings', { body: { One: 'a', Two: 'b' } })
    expect(result.current.state.draft).toEqual({ Two: 'bc', Three: 'd' })
    expect(result.current.state.faults).toEqual([])
  })
})

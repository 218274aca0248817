import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { providersQuery } from '~/api/queries'
import { failedQuery } from '../queries'
import { Needs } from './Needs'

const server = vi.hoisted((): { post: Mock } => ({ post: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { POST: server.post }, take: (answer: unknown) => answer }))
vi.mock('~/api/session', () => ({ useRights: () => () => true, useSession: () => ({ demo: true }) }))
vi.mock('@tanstack/react-router', async (original) => ({ ...await original<object>(), Link: ({ children }: { children: unknown }) => <a href="/jobs">{children as string}</a>, createLink: () => () => null }))

const job = (id: number) => ({ id: String(id), name: `Post ${id}`, state: 'failed', failure: { code: 'missing-articles', message: 'Gone.' } })

function show(count: number) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(providersQuery.queryKey, { providers: [] })
  client.setQueryData(failedQuery.queryKey, { items: Array.from({ length: Math.min(count, 6) }, (_, at) => job(at)), total: count, offset: 0, counts: {} } as never)
  render(<QueryClientProvider client={client}><MantineProvider><Needs status={{ ready: true, exports: [], mount: null } as never} /></MantineProvider></QueryClientProvider>)
}

describe('what needs attention', () => {
  beforeEach(() => { server.post.mockReset().mockResolvedValue({ done: 1, refused: [] }) })
  afterEach(cleanup)

  it('names few failed jobs, and counts many', () => {
    show(3)
    expect(screen.getAllByText(/^Post /)).toHaveLength(3)
    cleanup()
    show(40)
    expect(screen.getAllByText(/^Post /)).toHaveLength(3)
    expect(screen.getByText('All 40 failed jobs')).toBeTruthy()
  })

  it('takes one off the list', async () => {
    show(2)
    fireEvent.click(screen.getByRole('button', { name: 'Remove Post 1 from the list' }))
    await waitFor(() => expect(server.post).toHaveBeenCalledOnce())
    expect(server.post.mock.lastCall?.[1]).toEqual({ body: { ids: ['1'], filter: null, action: 'delete', withFiles: false } })
  })

  it('takes all off the list, after it has asked', async () => {
    show(40)
    fireEvent.click(screen.getByRole('button', { name: 'Remove all failed' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove 40 failed jobs from the list?' })
    expect(server.post).not.toHaveBeenCalled()
    fireEvent.click([...dialog.querySelectorAll('button')].find((button) => button.textContent === 'Remove all failed') ?? dialog)
    await waitFor(() => expect(server.post).toHaveBeenCalledOnce())
    expect(server.post.mock.lastCall?.[1]).toEqual({ body: { ids: null, filter: { states: ['failed'], kind: null, category: null, search: null }, action: 'delete', withFiles: false } })
  })
})

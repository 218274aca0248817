import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { PlayStep } from './PlayStep'

const server = vi.hoisted((): { get: Mock; patch: Mock } => ({ get: vi.fn(), patch: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { GET: server.get, PATCH: server.patch }, take: (answer: unknown) => answer, setToken: () => undefined }))

const next = vi.fn()
let mount: { path: string; reason: string | null } | null

/** The step on a server that knows a name and a password for players. */
async function show() {
  render(<MantineProvider><QueryClientProvider client={new QueryClient()}><PlayStep next={next} /></QueryClientProvider></MantineProvider>)
  await waitFor(() => expect(name().value).toBe('films'))
  await screen.findByText('A password is set. Leave the field empty to keep it.')
}
const name = () => screen.getByLabelText<HTMLInputElement>('User name for players')
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (button: string) => fireEvent.click(screen.getByRole('button', { name: button }))
const sent = () => server.patch.mock.calls.map(([, { body }]) => body as unknown)

beforeEach(() => {
  let username = 'films'
  mount = null
  next.mockReset()
  server.get.mockReset().mockImplementation((path: string) => Promise.resolve({
    '/api/v1/session': { state: 'signedIn', username: 'admin', csrfToken: '', rights: [] },
    '/api/v1/setup/progress': { webdav: true },
    '/api/v1/play': { username, rclone: ['rclone mount nzbdav:'], mount },
  }[path]))
  server.patch.mockReset().mockImplementation((_path: string, { body }: { body: Record<string, string> }) => {
    username = body['WebDav:Username'] ?? username
    return Promise.resolve({})
  })
})
afterEach(cleanup)

describe('the name and password for players', () => {
  it('are not saved when neither is changed', async () => {
    await show()
    press('Continue')
    expect(next).toHaveBeenCalledOnce()
    expect(server.patch).not.toHaveBeenCalled()
  })

  it('are saved when only the name is changed, and the password stays', async () => {
    await show()
    type('User name for players', 'series')
    press('Save')
    await screen.findByText('Saved.')
    expect(sent()).toEqual([{ 'WebDav:Username': 'series' }])
    expect(next).not.toHaveBeenCalled()
    press('Continue')
    expect(next).toHaveBeenCalledOnce()
  })

  it('are saved together when there is a new password', async () => {
    await show()
    type('Password for players', 'long enough')
    press('Save')
    await screen.findByText('Saved.')
    expect(sent()).toEqual([{ 'WebDav:Username': 'films', 'WebDav:Password': 'long enough' }])
  })

  it('are saved again when the name is changed after a save', async () => {
    await show()
    type('Password for players', 'long enough')
    press('Save')
    await screen.findByText('Saved.')
    type('User name for players', 'series')
    expect(screen.queryByText('Saved.')).toBeNull()
    press('Save')
    await screen.findByText('Saved.')
    expect(sent()[1]).toEqual({ 'WebDav:Username': 'series', 'WebDav:Password': 'long enough' })
    expect(next).not.toHaveBeenCalled()
  })
})

describe('the way for media servers', () => {
  it('is rclone without a mount of the server', async () => {
    await show()
    screen.getByText('rclone mount nzbdav:')
  })

  it('is the folder of the mount, or why it is not there', async () => {
    mount = { path: '/mnt/films', reason: null }
    await show()
    screen.getByText('/mnt/films/content')
    expect(screen.queryByText('rclone mount nzbdav:')).toBeNull()
    cleanup()
    mount = { path: '/mnt/films', reason: '/mnt/films is not empty' }
    await show()
    screen.getByText('/mnt/films is not empty')
  })
})

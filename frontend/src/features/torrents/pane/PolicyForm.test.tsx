import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { typed } from './fakes'
import { PolicyForm } from './PolicyForm'

const server = vi.hoisted((): { put: Mock } => ({ put: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { PUT: server.put }, take: (answer: unknown) => answer }))

const none = { keep: null, ratio: null, seedMinutes: null, idleMinutes: null, atLimit: null }

function show(own: Parameters<typeof PolicyForm>[0]['own'], language: Language = 'en') {
  render(<LanguageProvider initial={language}><MantineProvider><QueryClientProvider client={new QueryClient()}><PolicyForm hash="ab" own={own} /></QueryClientProvider></MantineProvider></LanguageProvider>)
}
const sent = () => (server.put.mock.calls[0]?.[1] as { body: unknown } | undefined)?.body

describe('the seeding policy of one torrent', () => {
  beforeEach(() => void server.put.mockReset().mockResolvedValue({}))
  afterEach(cleanup)

  it('sends the idle limit and the action beside what was set before', async () => {
    show({ ...none, ratio: 2 })
    fireEvent.change(screen.getByLabelText('Idle limit (min)'), { target: { value: '90' } })
    fireEvent.change(screen.getByLabelText('At the limit'), { target: { value: 'removeData' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    await waitFor(() => expect(sent()).toEqual({ ...none, ratio: 2, idleMinutes: 90, atLimit: 'removeData' }))
    expect(server.put.mock.calls[0]?.[0]).toBe('/api/v1/torrents/{hash}/policy')
  })

  it('gives both back to the category when they are emptied', async () => {
    show({ ...none, idleMinutes: 60, atLimit: 'remove' })
    fireEvent.change(screen.getByLabelText('Idle limit (min)'), { target: { value: '' } })
    fireEvent.change(screen.getByLabelText('At the limit'), { target: { value: '' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    await waitFor(() => expect(sent()).toEqual(none))
  })

  it('takes a decimal and a minus as they are typed', async () => {
    show({ ...none, ratio: 2, seedMinutes: 2 })
    typed(screen.getByLabelText('Ratio limit'), '1.05')
    typed(screen.getByLabelText('Seeding limit (min)'), '-1')
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    await waitFor(() => expect(sent()).toEqual({ ...none, ratio: 1.05, seedMinutes: -1 }))
  })

  it('sends the number of what ends in a point', async () => {
    show(none)
    typed(screen.getByLabelText('Ratio limit'), '1.')
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    await waitFor(() => expect(sent()).toEqual({ ...none, ratio: 1 }))
  })

  it('is not sent while a field has no number, and says so beside it', async () => {
    show(none)
    const ratio = screen.getByLabelText<HTMLInputElement>('Ratio limit')
    typed(ratio, '-')
    expect(screen.queryByText('Enter a number, or leave the field empty.')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    expect(screen.getByRole('alert').textContent).toBe('Enter a number, or leave the field empty.')
    expect(server.put).not.toHaveBeenCalled()
    typed(ratio, '-1')
    fireEvent.click(screen.getByRole('button', { name: 'Save seeding' }))
    await waitFor(() => expect(sent()).toEqual({ ...none, ratio: -1 }))
  })

  it('has them in German', () => {
    show({ ...none, idleMinutes: 60, atLimit: 'removeData' }, 'de')
    expect(screen.getByLabelText<HTMLInputElement>('Leerlaufgrenze (Min.)').value).toBe('60')
    expect(screen.getByLabelText<HTMLSelectElement>('An der Grenze').selectedOptions[0]?.text).toBe('Mit Daten entfernen')
  })
})

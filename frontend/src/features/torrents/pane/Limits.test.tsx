import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { LanguageProvider, type Language } from '~/ui/text/language'
import { typed } from './fakes'
import { Limits } from './Limits'

const server = vi.hoisted((): { put: Mock } => ({ put: vi.fn() }))
vi.mock('~/api/client', () => ({ api: { PUT: server.put }, take: (answer: unknown) => answer }))

function show(language: Language = 'en') {
  render(<LanguageProvider initial={language}><MantineProvider><QueryClientProvider client={new QueryClient()}><Limits hash="ab" upRate={50_000} downRate={null} /></QueryClientProvider></MantineProvider></LanguageProvider>)
}
const sent = () => (server.put.mock.calls[0]?.[1] as { body: unknown } | undefined)?.body

describe('the limits of one torrent', () => {
  beforeEach(() => void server.put.mockReset().mockResolvedValue({}))
  afterEach(cleanup)

  it('keep a number that is typed behind zeros', async () => {
    show()
    typed(screen.getByLabelText('Download at most'), '0020')
    fireEvent.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(sent()).toEqual({ upRate: 50_000, downRate: 20_000 }))
  })

  it('end when their field is emptied', async () => {
    show()
    fireEvent.change(screen.getByLabelText('Upload at most'), { target: { value: '' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(sent()).toEqual({ upRate: null, downRate: null }))
  })

  it('are not sent while a field has no number', () => {
    show('de')
    typed(screen.getByLabelText('Empfang höchstens'), '-')
    fireEvent.click(screen.getByRole('button', { name: 'Grenzen speichern' }))
    expect(screen.getByRole('alert').textContent).toBe('Bitte eine Zahl eingeben oder das Feld leeren.')
    expect(server.put).not.toHaveBeenCalled()
  })
})

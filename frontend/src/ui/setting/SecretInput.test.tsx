import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { setting } from './fakes'
import { SettingFields } from './SettingFields'
import { useDraft } from './useDraft'

const secret = setting('WebDav:Password', { kind: 'secret', title: 'Password', isSet: true, source: 'stored' })
const name = setting('WebDav:Username', { title: 'User name' })

function Form() {
  const state = useDraft([secret, name])
  // New objects each time: every field is rendered again.
  return (
    <>
      <SettingFields settings={[{ ...secret }, { ...name }]} state={state} all />
      <button type="button" onClick={state.discard}>Discard all</button>
    </>
  )
}

const replace = () => screen.getByRole('button', { name: 'Replace: Password' })
const field = () => screen.getByLabelText<HTMLInputElement>('New value: Password')
function type(input: HTMLElement, value: string) {
  input.focus()
  fireEvent.change(input, { target: { value } })
}

describe('a secret that is replaced', () => {
  afterEach(cleanup)

  it('has the focus when it opens and does not take it back from another field', () => {
    render(<MantineProvider><Form /></MantineProvider>)
    fireEvent.click(replace())
    expect(document.activeElement).toBe(field())
    const other = screen.getByLabelText('User name')
    type(other, 'a')
    expect(document.activeElement).toBe(other)
    type(other, 'ab')
    expect(document.activeElement).toBe(other)
  })

  it('closes when what was typed is discarded or saved', () => {
    render(<MantineProvider><Form /></MantineProvider>)
    fireEvent.click(replace())
    type(field(), 'new')
    fireEvent.click(screen.getByRole('button', { name: 'Discard all' }))
    expect(screen.queryByLabelText('New value: Password')).toBeNull()
    expect(replace()).toBeTruthy()
  })

  it('stays open with the focus while it is emptied by hand', () => {
    render(<MantineProvider><Form /></MantineProvider>)
    fireEvent.click(replace())
    type(field(), 'new')
    type(field(), '')
    expect(document.activeElement).toBe(field())
    type(field(), 'newer')
    expect(field().value).toBe('newer')
    fireEvent.click(screen.getByRole('button', { name: 'Discard all' }))
    expect(screen.queryByLabelText('New value: Password')).toBeNull()
  })
})

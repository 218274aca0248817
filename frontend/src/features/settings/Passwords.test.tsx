import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { setting } from '~/ui/setting/fakes'
import { useDraft } from '~/ui/setting/useDraft'
import { Passwords } from './Passwords'

const template = [{ ...setting('Import:Passwords:#', { kind: 'secret' }), defaultNote: null }]
const settings = [{ ...setting('Import:Passwords:0', { kind: 'secret', isSet: true, source: 'stored' }), defaultNote: null }]

function Form() {
  return <Passwords settings={settings} template={template} state={useDraft(settings)} />
}

describe('the passwords of archives', () => {
  afterEach(cleanup)

  it('leave the focus in the field of a new password while another is being replaced', () => {
    render(<MantineProvider><Form /></MantineProvider>)
    fireEvent.click(screen.getByRole('button', { name: /^Replace/ }))
    const added = screen.getByPlaceholderText('Another password')
    added.focus()
    fireEvent.change(added, { target: { value: 's' } })
    expect(document.activeElement).toBe(added)
    fireEvent.change(added, { target: { value: 'se' } })
    expect(document.activeElement).toBe(added)
  })
})

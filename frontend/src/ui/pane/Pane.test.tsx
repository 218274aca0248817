import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Pane } from './Pane'

describe('a pane', () => {
  afterEach(cleanup)

  it('closes by Escape within it, not by the Escape of a menu that it opened elsewhere', () => {
    const close = vi.fn()
    render(<MantineProvider><Pane title="A job" query={{ data: {}, error: null, refetch: vi.fn() }} onClose={close}><button>within</button>{createPortal(<button>elsewhere</button>, document.body)}</Pane></MantineProvider>)
    fireEvent.keyDown(screen.getByText('elsewhere'), { key: 'Escape' })
    expect(close).not.toHaveBeenCalled()
    fireEvent.keyDown(screen.getByText('within'), { key: 'Escape' })
    expect(close).toHaveBeenCalledOnce()
  })
})

import { Chip, MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { theme } from './theme'

it('writes on a chosen chip in the colour that its background needs in each scheme', () => {
  const { container } = render(<MantineProvider theme={theme}><Chip checked readOnly>All</Chip></MantineProvider>)
  expect(container.querySelector<HTMLElement>('.mantine-Chip-root')?.style.getPropertyValue('--chip-color')).toBe('var(--nz-on-accent)')
})

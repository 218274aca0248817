import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setting } from './fakes'
import { SettingField } from './SettingField'
import type { SettingInfo } from './setting'

const show = (info: SettingInfo) => render(
  <MantineProvider><SettingField setting={info} value="news.example" change="news.example" isDefault={false} fault={null} onChange={vi.fn()} onForget={vi.fn()} /></MantineProvider>,
)

describe('the field of a setting', () => {
  afterEach(cleanup)

  it('offers the default where there is one', () => {
    show(setting('Host', { title: 'Host', default: 'localhost' }))
    expect(screen.getByRole('button', { name: 'Use the default: Host' })).toBeTruthy()
  })

  it('offers no default for what has to be set', () => {
    show(setting('Host', { title: 'Host', defaultNote: 'required' }))
    expect(screen.queryByRole('button', { name: /default|empty/i })).toBeNull()
  })

  it('can be left empty where there is none', () => {
    show(setting('Host', { title: 'Host' }))
    expect(screen.getByRole('button', { name: 'Leave empty: Host' })).toBeTruthy()
    expect(screen.queryByText(/Default/)).toBeNull()
  })

  it('says "no limit" in the place of 0, and takes an empty field for it', () => {
    const change = vi.fn()
    const limit = setting('Limit', { title: 'Limit', kind: 'number', default: '0', least: 0, most: 1000, zeroIsNoLimit: true })
    render(<MantineProvider><SettingField setting={limit} value="0" change={undefined} isDefault fault={null} onChange={change} onForget={vi.fn()} /></MantineProvider>)
    const field = screen.getByLabelText<HTMLInputElement>('Limit')
    expect([field.value, field.placeholder]).toEqual(['', 'no limit'])
    expect(screen.getByText('Default: no limit')).toBeTruthy()
    fireEvent.change(field, { target: { value: '7' } })
    expect(change).toHaveBeenLastCalledWith(limit, '7')
    cleanup()
    render(<MantineProvider><SettingField setting={limit} value="7" change="7" isDefault={false} fault={null} onChange={change} onForget={vi.fn()} /></MantineProvider>)
    fireEvent.change(screen.getByLabelText('Limit'), { target: { value: '' } })
    expect(change).toHaveBeenLastCalledWith(limit, '0')
  })

  it('shows code as code, without backticks', () => {
    const { container } = show(setting('Path', { title: 'Path', description: 'Below `cache/articles`.', defaultNote: '`cache` in the folder' }))
    expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual(['cache/articles', 'cache'])
    expect(container.textContent).not.toContain('`')
  })
})

import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { address } from '~/api/address'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Downloads what helps others to find a fault. */
export function SupportMenu() {
  const t = useText(text)
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target><Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>{t.support}</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.supportHint}</Menu.Label>
        <Menu.Item component="a" href={address('api/v1/support')} download>{t.supportPlain}</Menu.Item>
        <Menu.Item component="a" href={address('api/v1/support?names=true')} download>{t.supportNames}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { Drawer, NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '~/ui/text/catalogue'
import type { pages } from './nav'
import { text } from './text'

type Props = { opened: boolean; close: () => void; pages: readonly (typeof pages)[number][] }

/** The pages behind "more" on narrow screens. */
export default function MoreDrawer({ opened, close, pages: shown }: Props) {
  const t = useText(text)
  return (
    <Drawer opened={opened} onClose={close} position="bottom" title={t.more} size="auto">
      {shown.map((page) => (
        <NavLink key={page.to} component={Link} to={page.to} label={t.pages[page.name]} leftSection={<page.icon size={18} aria-hidden />} onClick={close} h={48} />
      ))}
    </Drawer>
  )
}

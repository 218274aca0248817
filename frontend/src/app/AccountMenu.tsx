import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { api, take } from '~/api/client'
import { useRights, useSession } from '~/api/session'
import { useLanguage } from '~/ui/text/language'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Who is signed in, colours, language, the way out. */
export default function AccountMenu() {
  const t = useText(text)
  const session = useSession()
  const may = useRights()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, choose } = useLanguage()
  const leave = async () => {
    await take(api.DELETE('/api/v1/session'))
    // Nothing of what was seen stays behind for whoever comes next.
    location.reload()
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target><ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.account}><IconUser size={20} aria-hidden /></ActionIcon></Menu.Target>
      <Menu.Dropdown>
        {session?.username != null && <Menu.Label>{session.username}</Menu.Label>}
        <Menu.Label>{t.theme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)} aria-label={t.theme}>
          {(['auto', 'light', 'dark'] as const).map((scheme) => <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>{scheme === 'auto' ? t.system : t[scheme]}</Menu.RadioItem>)}
        </Menu.RadioGroup>
        <Menu.Label>{t.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(chosen) => choose(chosen as typeof language)} aria-label={t.language}>
          <Menu.RadioItem value="en" lang="en" closeMenuOnClick>English</Menu.RadioItem>
          <Menu.RadioItem value="de" lang="de" closeMenuOnClick>Deutsch</Menu.RadioItem>
        </Menu.RadioGroup>
        {(may('manage') || session?.via === 'password' || session?.via === 'oidc') && <Menu.Divider />}
        {(session?.via === 'password' || session?.via === 'oidc') && <Menu.Item component={Link} to="/users">{t.own}</Menu.Item>}
        {may('manage') && <Menu.Item component={Link} to="/setup">{t.setup}</Menu.Item>}
        {(session?.via === 'password' || session?.via === 'oidc') && <Menu.Item onClick={() => void leave()}>{t.signOut}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

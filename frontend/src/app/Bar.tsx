import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { statusQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useFormat } from '~/ui/format/useFormat'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { AccountMenu } from './AccountMenu'
import { Away } from './Away'
import { Logo } from './Logo'
import classes from './Shell.module.css'
import { text } from './text'

/** The bar at the top: name, what flows now, add, account. */
export function Bar() {
  const t = useText(text)
  const format = useFormat()
  const may = useRights()
  const status = useQuery(statusQuery).data
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand}><Logo />NzbDav</Link>
      <Away />
      <span className={classes.fill} />
      {status !== undefined && status.rate > 0 && <span>{format.rate(status.rate)}</span>}
      {may('add') && <LinkButton to="/jobs" search={{ add: '1' }} size="compact-md" leftSection={<IconPlus size={16} aria-hidden />}>{t.add}</LinkButton>}
      <AccountMenu />
    </header>
  )
}

import { IconPlus, IconSearch, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { piece } from '~/api/chunks/piece'
import { statusQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useFormat } from '~/ui/format/useFormat'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { inKeys } from '~/ui/text/keys'
import { Logo } from './Logo'
import classes from './Shell.module.css'
import { text } from './text'

// Menus bring a good part of Mantine along: the page stands before they do.
const AccountMenu = piece(() => import('./AccountMenu'))
const FlowMenu = piece(() => import('./FlowMenu'))

/** The bar at the top: name, search, what flows now, add, account. */
export function Bar({ onSearch }: { onSearch: () => void }) {
  const t = useText(text)
  const format = useFormat()
  const may = useRights()
  const status = useQuery(statusQuery).data
  const rate = status === undefined ? 0 : status.rate + status.torrentRate
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand} aria-label="NzbDav"><Logo /><span className={classes.brandName}>NzbDav</span></Link>
      <button type="button" className={classes.find} onClick={onSearch} data-keys={inKeys(t.searchKeys)} aria-label={t.search} aria-keyshortcuts="Control+K">
        <IconSearch size={16} aria-hidden /><span className={classes.findText}>{t.search}</span>
      </button>
      <span className={classes.fill} />
      <Suspense fallback={rate > 0 && <span className={classes.flow}>{format.rate(rate)}</span>}><FlowMenu /></Suspense>
      {status !== undefined && status.streams > 0 && <Link to="/" className={classes.streams}>{t.streams(status.streams)}</Link>}
      {may('add') && <LinkButton to="." search={(now) => ({ ...now, add: '1' })} size="compact-md" leftSection={<IconPlus size={16} aria-hidden />}>{t.add}</LinkButton>}
      <Suspense fallback={<span className={classes.account} aria-hidden><IconUser size={20} /></span>}><AccountMenu /></Suspense>
    </header>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { chunks } from '~/api/chunks/chunks'
import { loadPiecesWhenIdle, piece } from '~/api/chunks/piece'
import { useConnection } from '~/api/LiveProvider'
import { jobCountsQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { AddHost } from '~/features/add/AddHost'
import { useText } from '~/ui/text/catalogue'
import { Bar } from './Bar'
import { pages } from './nav'
import { Notices } from './Notices'
import classes from './Shell.module.css'
import { Tabs } from './Tabs'
import { text } from './text'
import { useFocusOnNavigation } from './useFocusOnNavigation'
import { useShortcuts, type Overlay } from './useShortcuts'
import { useTabSigns } from './useTabSigns'

const Palette = piece(() => import('./palette/Palette'))
const KeysDialog = piece(() => import('./KeysDialog'))

/** The frame of every page: bar, menu, content; on narrow screens tabs at the bottom instead of the menu. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const t = useText(text)
  const may = useRights()
  const counts = useQuery(jobCountsQuery).data
  const connection = useConnection().state
  const content = useRef<HTMLElement>(null)
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)
  useEffect(loadPiecesWhenIdle, [])
  useEffect(() => { if (connection === 'open') chunks.wake() }, [connection])
  useTabSigns()
  useShortcuts(setOverlay)
  useFocusOnNavigation(content)
  const open = counts === undefined ? 0 : counts.queued + counts.waiting + counts.running + counts.paused
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`${location.pathname}#content`} onClick={(event) => { event.preventDefault(); content.current?.focus() }}>{t.skip}</a>
      <Bar onSearch={() => setOverlay('search')} />
      <nav className={classes.nav} aria-label={t.main}>
        {pages.filter((page) => may(page.right)).map((page, at, shown) => (
          <Fragment key={page.to}>
            {at > 0 && shown[at - 1]?.group !== page.group && <div className={classes.rule} />}
            <Link to={page.to} className={classes.link} title={t.pages[page.name]} activeOptions={{ exact: page.to === '/', includeSearch: false }}>
              <page.icon size={18} stroke={1.6} aria-hidden />
              <span className={classes.word}>{t.pages[page.name]}</span>
              {page.name === 'jobs' && open > 0 && <span className={classes.count}>{open}</span>}
            </Link>
          </Fragment>
        ))}
      </nav>
      <main ref={content} className={classes.main} id="content" tabIndex={-1} data-away={connection === 'away' || undefined}>
        <Notices />
        {children}
      </main>
      <Tabs />
      {may('add') && <AddHost />}
      <Suspense>
        {overlay === 'search' && <Palette onClose={close} onKeys={() => setOverlay('keys')} />}
        {overlay === 'keys' && <KeysDialog onClose={close} />}
      </Suspense>
    </div>
  )
}

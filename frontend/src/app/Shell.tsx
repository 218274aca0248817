import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { jobCountsQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { AddHost } from '~/features/add/AddHost'
import { useText } from '~/ui/text/catalogue'
import { Bar } from './Bar'
import { pages } from './nav'
import classes from './Shell.module.css'
import { Tabs } from './Tabs'
import { text } from './text'

/** The frame of every page: bar, menu, content; on narrow screens tabs at the bottom instead of the menu. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const t = useText(text)
  const may = useRights()
  const counts = useQuery(jobCountsQuery).data
  const open = counts === undefined ? 0 : counts.queued + counts.waiting + counts.running + counts.paused
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`${location.pathname}#content`}>{t.skip}</a>
      <Bar />
      <nav className={classes.nav} aria-label={t.main}>
        {pages.filter((page) => may(page.right)).map((page, at, shown) => (
          <Fragment key={page.to}>
            {at > 0 && shown[at - 1]?.group !== page.group && <div className={classes.rule} />}
            <Link to={page.to} className={classes.link} activeOptions={{ exact: page.to === '/', includeSearch: false }}>
              <page.icon size={18} stroke={1.6} aria-hidden />
              {t.pages[page.name]}
              {page.name === 'jobs' && open > 0 && <span className={classes.count}>{open}</span>}
            </Link>
          </Fragment>
        ))}
      </nav>
      <main className={classes.main} id="content" tabIndex={-1}>{children}</main>
      <Tabs />
      {may('add') && <AddHost />}
    </div>
  )
}

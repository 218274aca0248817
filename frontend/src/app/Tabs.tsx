import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { piece } from '~/api/chunks/piece'
import { useRights } from '~/api/session'
import { useText } from '~/ui/text/catalogue'
import { pages } from './nav'
import classes from './Shell.module.css'
import { text } from './text'

const MoreDrawer = piece(() => import('./MoreDrawer'))

const First = ['overview', 'jobs', 'files']

/** The menu of narrow screens: three pages, the others behind "more". */
export function Tabs() {
  const t = useText(text)
  const may = useRights()
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(false)
  const shown = pages.filter((page) => may(page.right))
  return (
    <nav className={classes.tabs} aria-label={t.main}>
      {shown.filter((page) => First.includes(page.name)).map((page) => (
        <Link key={page.to} to={page.to} className={classes.tab} activeOptions={{ exact: page.to === '/', includeSearch: false }}>
          <page.icon size={20} stroke={1.6} aria-hidden />
          {t.pages[page.name]}
        </Link>
      ))}
      <button type="button" className={classes.tab} onClick={() => { setAsked(true); setOpen(true) }} aria-expanded={open}>
        <IconDots size={20} aria-hidden />
        {t.more}
      </button>
      {asked && <Suspense><MoreDrawer opened={open} close={() => setOpen(false)} pages={shown.filter((page) => !First.includes(page.name))} /></Suspense>}
    </nav>
  )
}

import { ActionIcon } from '@mantine/core'
import { IconChevronRight, IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FilePage } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'

type Crumb = { name: string; path: string }

/** The folders from the top to this one. Made of the path itself, so that it stands before the list is there. */
export function crumbsOf(path: string): Crumb[] {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((name, at) => ({ name, path: `/${names.slice(0, at + 1).join('/')}` }))
}

type Props = { path: string; page: FilePage | undefined; onDetails: (id: string) => void }

/** Where one is, each folder a link. */
export function Crumbs({ path, page, onDetails }: Props) {
  const t = useText(text)
  const crumbs = crumbsOf(path)
  const parent = page?.parent
  return (
    <nav aria-label={t.path}>
      <ol className={classes.crumbs}>
        {crumbs.map((crumb, at) => (
          <li key={crumb.path}>
            {at > 0 && <IconChevronRight size={14} aria-hidden />}
            <Link to="/files" search={({ sort }) => ({ path: crumb.path, sort })} aria-current={at === crumbs.length - 1 ? 'page' : undefined} activeProps={{}}>{crumb.name}</Link>
          </li>
        ))}
        {parent?.parentId != null && (
          <li>
            <ActionIcon variant="subtle" color="gray" aria-label={t.here} onClick={() => onDetails(parent.id)}><IconInfoCircle size={18} stroke={1.6} aria-hidden /></ActionIcon>
          </li>
        )}
      </ol>
    </nav>
  )
}

import { IconDotsVertical, IconGripVertical } from '@tabler/icons-react'
import { useMemo } from 'react'
import { address } from '~/api/address'
import type { Job } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ReleaseName } from '~/ui/ReleaseName'
import type { Column, RowState } from '~/ui/table/column'
import { useText } from '~/ui/text/catalogue'
import { When } from '../parts/When'
import { JobStatus } from '../parts/JobStatus'
import classes from '../parts/parts.module.css'
import { text } from '../text'

/** `selects`: the caller may change jobs. `drags`: the list stands in the queue's order. `tight`: there is room for the most important columns only. */
type Options = { narrow: boolean; tight: boolean; selects: boolean; drags: boolean }

/** The columns of the list. On narrow screens a row takes two lines. */
export function useColumns({ narrow, tight, selects, drags }: Options): Column<Job>[] {
  const t = useText(text)
  const format = useFormat()
  return useMemo(() => {
    const tab = (state: RowState) => (state.active ? 0 : -1)
    const size = (job: Job) => (job.bytes > 0 ? format.size(job.bytes) : '')
    const name = (job: Job, state: RowState) => <a className={classes.link} href={address(`jobs?job=${job.id}`)} data-open tabIndex={tab(state)}><ReleaseName name={job.name} /></a>
    const select: Column<Job> = {
      id: 'select', title: t.columns.select, untitled: true, track: narrow ? '44px' : '24px',
      cell: (job, state) => <span className={classes.hit} data-select><input type="checkbox" className={classes.box} aria-label={t.selectJob(job.name)} checked={state.selected} readOnly tabIndex={tab(state)} /></span>,
    }
    const drag: Column<Job> = {
      id: 'drag', title: t.columns.drag, untitled: true, track: '24px',
      cell: (job) => (job.position === null ? null : <span className={classes.handle} data-drag title={t.dragHint}><IconGripVertical size={16} aria-hidden /></span>),
    }
    const menu: Column<Job> = {
      id: 'menu', title: t.columns.menu, untitled: true, track: narrow ? '44px' : '28px',
      cell: (job, state) => <button type="button" className={classes.more} data-menu aria-haspopup="menu" aria-label={t.menuOf(job.name)} tabIndex={tab(state)}><IconDotsVertical size={16} aria-hidden /></button>,
    }
    const both: Column<Job> = {
      id: 'job', title: t.columns.name, track: 'minmax(0, 1fr)',
      cell: (job, state) => <span className={classes.two}>{name(job, state)}<JobStatus job={job} /><span className={classes.sub}>{size(job)}</span></span>,
    }
    const kind: Column<Job> = { id: 'kind', title: t.columns.kind, track: '60px', cell: (job) => t.kinds[job.kind] }
    const category: Column<Job> = { id: 'category', title: t.columns.category, sort: 'category', track: 'minmax(72px, 1fr)', cell: (job) => job.category }
    const wide: Column<Job>[] = [
      { id: 'name', title: t.columns.name, sort: 'name', track: 'minmax(160px, 5fr)', cell: name },
      { id: 'state', title: t.columns.state, sort: 'turn', track: 'minmax(180px, 4fr)', cell: (job) => <JobStatus job={job} /> },
      ...(tight ? [] : [kind, category]),
      { id: 'size', title: t.columns.size, sort: 'size', end: true, track: '84px', cell: size },
      { id: 'when', title: t.columns.when, sort: 'added', end: true, track: '124px', cell: (job) => <When time={job.finished ?? job.added} /> },
    ]
    return [...(selects ? [select] : []), ...(drags && selects && !narrow ? [drag] : []), ...(narrow ? [both] : wide), menu]
  }, [t, format, narrow, tight, selects, drags])
}

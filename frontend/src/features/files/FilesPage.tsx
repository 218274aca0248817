import { Drawer, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState, type ReactNode } from 'react'
import { useRights } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { FileDialogs, type Asked, type Done } from './actions/FileDialogs'
import { BulkBar } from './list/BulkBar'
import { Crumbs } from './list/Crumbs'
import { FileTable } from './list/FileTable'
import classes from './list/list.module.css'
import { SearchBox } from './list/SearchBox'
import { useFileRows } from './list/useFileRows'
import { useFileSelection } from './list/useFileSelection'
import { FilePane } from './pane/FilePane'
import { text } from './text'
import { useFilePlace } from './useFilePlace'
import { useFilesState } from './useFilesState'

/** What is there, and how one gets it. */
export default function FilesPage(): ReactNode {
  const t = useText(text)
  const may = useRights()
  const state = useFilesState()
  const { list, selected } = state
  const rows = useFileRows(list)
  const looking = useFilePlace(state.asked, selected, rows.error)
  const selection = useFileSelection(rows.row, rows.total)
  const [asked, setAsked] = useState<Asked | null>(null)
  const wide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
  const { clear } = selection
  useEffect(clear, [clear, list.path, list.query])
  const close = () => state.select(undefined)
  const lose = (gone: string[]) => {
    selection.drop(gone)
    if (selected !== undefined && gone.includes(selected)) close()
  }
  const done = ({ items, gone, path }: Done) => {
    clear()
    setAsked(null)
    // The folder that is shown is elsewhere now, or gone.
    const here = list.query === '' ? rows.page?.parent : undefined
    if (here == null || !items.some(({ id }) => id === here.id)) lose(gone)
    else if (path === null) state.go(list.path.replace(/\/[^/]*$/, ''))
    else state.follow(path)
  }
  const pane = selected !== undefined && <FilePane key={selected} id={selected} onAsk={setAsked} onClose={close} />
  const said = list.query === '' ? t.count(rows.total) : t.found(rows.total, list.query)
  return (
    <div>
      <PageTitle title={t.title}>
        {!rows.pending && <Text c="dimmed" size="sm" role="status">{said}</Text>}
      </PageTitle>
      <div className={classes.page}>
        <div className={classes.tools}>
          <Crumbs path={list.path} page={list.query === '' ? rows.page : undefined} onDetails={state.select} />
          <SearchBox value={list.query} onSearch={state.search} />
        </div>
        {selection.count > 0 && <BulkBar count={selection.count} onAsk={(what) => setAsked({ what, items: selection.items() })} onClear={clear} />}
        <div className={classes.split}>
          <div className={classes.list} data-old={rows.old || undefined}>
            {rows.error !== null && !looking && <ErrorNote error={rows.error} retry={rows.retry} />}
            {(rows.pending || looking) && <Loading rows={10} />}
            {rows.total > 0 && <FileTable key={`${list.path}:${list.query}`} state={state} rows={rows} selection={selection} selectable={may('change')} onAsk={setAsked} />}
            {!rows.pending && rows.error === null && rows.total === 0 && (list.query === ''
              ? <Empty title={t.empty}><Text c="dimmed">{t.emptyHint}</Text>{may('add') && <LinkButton to="." search={(now) => ({ ...now, add: '1' })}>{t.add}</LinkButton>}</Empty>
              : <Empty title={t.nothing(list.query)} />)}
          </div>
          {wide && selected !== undefined && <aside className={`surface ${classes.pane}`} aria-label={t.columns.info}>{pane}</aside>}
        </div>
      </div>
      {!wide && <Drawer opened={selected !== undefined} onClose={close} position="bottom" size="85%" withCloseButton={false} attributes={{ content: { 'aria-label': t.columns.info } }}>{pane}</Drawer>}
      <FileDialogs asked={asked} onClose={() => setAsked(null)} onDone={done} onGone={lose} />
    </div>
  )
}

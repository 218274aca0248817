import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { serverAhead } from '~/api/clock'
import { queueQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useFormat } from '~/ui/format/useFormat'
import { PageTitle } from '~/ui/PageTitle'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { JobGrid } from './JobGrid'
import { isAll } from './list/filter'
import { useCommands, type Layer } from './list/useCommands'
import { useJobList } from './list/useJobList'
import { useJobView } from './list/useJobView'
import { BulkBar } from './parts/BulkBar'
import { DeleteDialog } from './parts/DeleteDialog'
import { JobPane } from './parts/JobPane'
import { NoJobs } from './parts/NoJobs'
import { PaneActions } from './parts/PaneActions'
import classes from './parts/parts.module.css'
import { QueueSwitch } from './parts/QueueSwitch'
import { RenameDialog } from './parts/RenameDialog'
import { RowMenu } from './parts/RowMenu'
import { Toolbar } from './parts/Toolbar'
import { text } from './text'

/** Queue and history as one list. */
export default function JobsPage(): ReactNode {
  const t = useText(text)
  const may = useRights()('change')
  const { view, filter, sort, open } = useJobView()
  const [top, setTop] = useState(true)
  const [layer, setLayer] = useState<Layer | null>(null)
  const list = useJobList(view, !top || layer !== null)
  const commands = useCommands({ list, view, may, open, layer, setLayer })
  const choose: typeof filter = (change) => {
    commands.clearSelection()
    filter(change)
  }
  return (
    <div className={classes.page}>
      <PageTitle title={t.title}>{may && <QueueSwitch />}</PageTitle>
      {/* Above both columns: in one of them it would wrap when the details open, and move the list under the pointer. */}
      <div className={classes.above}>
        <Paused />
        <Toolbar filter={view.filter} counts={list.latest?.counts} onFilter={choose} />
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          {list.error !== null ? <ErrorNote error={list.error} retry={list.refresh} />
            : list.latest === undefined ? <Loading rows={12} />
            : list.count === 0 ? <NoJobs all={isAll(view.filter)} onAll={() => choose({ states: [], kind: null, category: null, search: '' })} />
            : <JobGrid list={list} view={view} may={may} commands={commands} onSort={sort} onTop={setTop} />}
          {commands.count > 0 && <BulkBar commands={commands} total={list.count} />}
        </div>
        {view.open !== null && <JobPane id={view.open} onClose={() => open(null)} actions={(id) => may && <PaneActions id={id} list={list} commands={commands} />} />}
      </div>
      {layer?.kind === 'menu' && <RowMenu {...layer} may={may} sorted={view.sort.by === 'turn'} commands={commands} onClose={() => setLayer((now) => (now === layer ? null : now))} />}
      {layer?.kind === 'delete' && <DeleteDialog {...layer} onConfirm={() => commands.confirm(layer.target, layer.withFiles)} onClose={() => setLayer(null)} />}
      {layer?.kind === 'rename' && <RenameDialog job={layer.job} onRename={(name) => { setLayer(null); commands.change(layer.job, { action: 'rename', name }, true) }} onClose={() => setLayer(null)} />}
    </div>
  )
}

/** Says that the whole queue stands. */
function Paused() {
  const t = useText(text)
  const format = useFormat()
  const now = useNow() + serverAhead()
  const queue = useQuery(queueQuery).data
  if (queue?.paused !== true) return null
  return <Alert color="yellow" variant="light" py="xs">{queue.pausedUntil === null ? t.queuePaused : t.queuePausedUntil(format.relative(queue.pausedUntil, now))}</Alert>
}

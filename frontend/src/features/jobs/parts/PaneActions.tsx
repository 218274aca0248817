import { Button } from '@mantine/core'
import { useText } from '~/ui/text/catalogue'
import { allows } from '../list/change'
import type { Commands } from '../list/useCommands'
import type { JobList } from '../list/useJobList'
import { text } from '../text'

/** The way out for the job whose details are open. */
export function PaneActions({ id, list, commands }: { id: string; list: JobList; commands: Commands }) {
  const t = useText(text)
  const job = list.loaded().find((one) => one.id === id)
  if (job === undefined) return null
  return (
    <>
      {allows('retry', job) && <Button size="compact-sm" variant="default" onClick={() => commands.change(job, { action: 'retry' }, true)}>{t.retry}</Button>}
      {allows('pause', job) && <Button size="compact-sm" variant="default" onClick={() => commands.change(job, { action: 'pause' }, true)}>{t.pause}</Button>}
      {allows('resume', job) && <Button size="compact-sm" variant="default" onClick={() => commands.change(job, { action: 'resume' }, true)}>{t.resume}</Button>}
    </>
  )
}

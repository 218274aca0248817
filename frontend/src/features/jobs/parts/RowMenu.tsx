import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Job } from '~/api/types'
import { copy } from '~/ui/copy'
import { useText } from '~/ui/text/catalogue'
import { allows } from '../list/change'
import type { Commands } from '../list/useCommands'
import { text } from '../text'
import { priorities } from './priorities'

type Props = { job: Job; x: number; y: number; may: boolean; sorted: boolean; commands: Commands; onClose: () => void }

/** What can be done with one job, where its row was clicked. One menu for all rows. */
export function RowMenu({ job, x, y, may, sorted, commands, onClose }: Props) {
  const t = useText(text)
  const navigate = useNavigate()
  const moves = may && sorted && job.position !== null
  const { path, failure } = job
  return (
    <Menu opened onChange={(opened) => { if (!opened) onClose() }} position="bottom-end" width={230} returnFocus withinPortal>
      <Menu.Target><span style={{ position: 'fixed', left: x, top: y, width: 1, height: 1 }} /></Menu.Target>
      <Menu.Dropdown aria-label={t.menuOf(job.name)}>
        <Menu.Item onClick={() => commands.open(job)}>{t.open}</Menu.Item>
        {path !== null && <Menu.Item onClick={() => void navigate({ to: '/files', search: { path } })}>{t.files}</Menu.Item>}
        {failure !== null && <Menu.Item onClick={() => void copy(`${job.name}: ${failure.message} (${failure.code})`)}>{t.copyReason}</Menu.Item>}
        {may && allows('retry', job) && <Menu.Item onClick={() => commands.change(job, { action: 'retry' })} rightSection="R">{t.retry}</Menu.Item>}
        {may && allows('pause', job) && <Menu.Item onClick={() => commands.change(job, { action: 'pause' })} rightSection="P">{t.pause}</Menu.Item>}
        {may && allows('resume', job) && <Menu.Item onClick={() => commands.change(job, { action: 'resume' })} rightSection="P">{t.resume}</Menu.Item>}
        {may && <Menu.Item onClick={() => commands.rename(job)} rightSection="F2">{t.rename}</Menu.Item>}
        {moves && <Menu.Divider />}
        {moves && <Menu.Item onClick={() => commands.moveTo(job, 'top')} rightSection="Alt+Home">{t.moveTop}</Menu.Item>}
        {moves && <Menu.Item onClick={() => commands.step(job, -1)} rightSection="Alt+↑">{t.moveUp}</Menu.Item>}
        {moves && <Menu.Item onClick={() => commands.step(job, 1)} rightSection="Alt+↓">{t.moveDown}</Menu.Item>}
        {moves && <Menu.Item onClick={() => commands.moveTo(job, 'bottom')} rightSection="Alt+End">{t.moveBottom}</Menu.Item>}
        {may && allows('priority', job) && <Menu.Label>{t.priority}</Menu.Label>}
        {may && allows('priority', job) && priorities.map(({ name, value }) => (
          <Menu.RadioItem key={name} value={name} checked={job.priority === value} closeMenuOnClick onChange={() => commands.change(job, { action: 'priority', priority: value })}>{t.priorities[name]}</Menu.RadioItem>
        ))}
        {may && <Menu.Divider />}
        {may && <Menu.Item onClick={() => commands.remove(job)} rightSection="Del">{t.remove}</Menu.Item>}
        {may && job.itemId !== null && <Menu.Item c="var(--mantine-color-error)" onClick={() => commands.destroy(job)}>{t.destroy}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

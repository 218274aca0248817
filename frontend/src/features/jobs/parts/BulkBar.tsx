import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { queueQuery } from '~/api/queries'
import { useText } from '~/ui/text/catalogue'
import type { Commands } from '../list/useCommands'
import { text } from '../text'
import classes from './parts.module.css'
import { priorities } from './priorities'

/** What can be done with all that are chosen. */
export function BulkBar({ commands, total }: { commands: Commands; total: number }) {
  const t = useText(text)
  const categories = useQuery(queueQuery).data?.categories ?? []
  return (
    <div className={classes.bulk} role="toolbar" aria-label={t.selected(commands.count)}>
      <span aria-live="polite">{t.selected(commands.count)}</span>
      {commands.count < total && <Button size="compact-sm" variant="subtle" onClick={commands.selectAll}>{t.selectAll(total)}</Button>}
      <Button size="compact-sm" variant="default" onClick={() => commands.change(null, { action: 'retry' })}>{t.retry}</Button>
      <Button size="compact-sm" variant="default" onClick={() => commands.change(null, { action: 'pause' })}>{t.pause}</Button>
      <Button size="compact-sm" variant="default" onClick={() => commands.change(null, { action: 'resume' })}>{t.resume}</Button>
      <Menu>
        <Menu.Target><Button size="compact-sm" variant="default">{t.priority}</Button></Menu.Target>
        <Menu.Dropdown>
          {priorities.map(({ name, value }) => <Menu.Item key={name} onClick={() => commands.change(null, { action: 'priority', priority: value })}>{t.priorities[name]}</Menu.Item>)}
        </Menu.Dropdown>
      </Menu>
      <Menu>
        <Menu.Target><Button size="compact-sm" variant="default">{t.category}</Button></Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {categories.map((category) => <Menu.Item key={category} onClick={() => commands.change(null, { action: 'category', category })}>{category}</Menu.Item>)}
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" variant="default" onClick={() => commands.remove(null)}>{t.remove}</Button>
      <Button size="compact-sm" variant="light" color="red" onClick={() => commands.destroy(null)}>{t.destroy}</Button>
      <Button size="compact-sm" variant="subtle" ml="auto" onClick={commands.clear}>{t.clear}</Button>
    </div>
  )
}

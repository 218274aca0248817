import { Button, Text } from '@mantine/core'
import { useRights } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { Empty } from '~/ui/state/Empty'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What stands in place of the list: there are no jobs at all, or none that the filter matches. */
export function NoJobs({ all, onAll }: { all: boolean; onAll: () => void }) {
  const t = useText(text)
  const may = useRights()('add')
  if (!all) return <Empty title={t.noMatch}><Button variant="default" onClick={onAll}>{t.clearFilter}</Button></Empty>
  return (
    <Empty title={t.emptyTitle}>
      {may && <Text c="dimmed">{t.emptyText}</Text>}
      {may && <LinkButton to="." search={(now) => ({ ...now, add: '1' })}>{t.add}</LinkButton>}
    </Empty>
  )
}

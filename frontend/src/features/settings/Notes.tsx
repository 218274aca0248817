import { List } from '@mantine/core'
import type { SettingsAnswer } from '~/api/types'
import { Notice } from '~/ui/state/Notice'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** What is wrong with what is stored, and what waits for a restart. */
export function Notes({ answer }: { answer: SettingsAnswer }) {
  const t = useText(text)
  const pending = answer.settings.filter((setting) => setting.isPending).length
  const lists = [[t.ignored, answer.ignored], [t.unapplied, answer.unapplied]] as const
  return (
    <>
      {lists.filter(([, faults]) => faults.length > 0).map(([title, faults]) => (
        <Notice key={title} kind="waiting" title={title}>
          <List size="sm">{faults.map((fault) => <List.Item key={fault.path}><span className="mono">{fault.path}</span>: {fault.message}</List.Item>)}</List>
        </Notice>
      ))}
      {pending > 0 && <Notice kind="waiting">{t.pending(pending)}</Notice>}
    </>
  )
}

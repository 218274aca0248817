import { Alert, List } from '@mantine/core'
import type { SettingsAnswer } from '~/api/types'
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
        <Alert key={title} color="yellow" variant="light" title={title} mb="sm">
          <List size="sm">{faults.map((fault) => <List.Item key={fault.path}><span className="mono">{fault.path}</span>: {fault.message}</List.Item>)}</List>
        </Alert>
      ))}
      {pending > 0 && <Alert color="yellow" variant="light" mb="sm">{t.pending(pending)}</Alert>}
    </>
  )
}

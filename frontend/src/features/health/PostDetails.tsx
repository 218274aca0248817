import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { postQuery, useHealth } from './calls'
import { Events } from './Events'
import classes from './Health.module.css'
import { text } from './text'

/** What is missing of a post, who said so and when, and all that was done. A file of which something is missing can be replaced without waiting for an upgrade. */
export function PostDetails({ id, manage }: { id: string; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(postQuery(id))
  const { replace } = useHealth()
  const [asking, setAsking] = useState<{ id: string; file: string } | null>(null)
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading rows={2} />
  return (
    <div className={classes.details}>
      {data.gone.map((gone) => (
        <div key={gone.file}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{gone.file}</Text>
          <Text size="xs" c="dimmed">{t.gone(format.number(gone.articles), format.number(gone.confirmed))} · {t.between(format.dateTime(gone.first), format.dateTime(gone.last))}{gone.providers.length > 0 && ` · ${t.said(gone.providers.join(', '))}`}</Text>
          {manage && gone.confirmed > 0 && <Button size="compact-sm" variant="default" className={classes.replace} aria-label={t.replaceOf(gone.file)} onClick={() => setAsking(gone)}>{t.replace}</Button>}
        </div>
      ))}
      <Events events={data.events} />
      {asking !== null && (
        <ConfirmDialog
          title={t.replaceTitle} hint={t.replaceHint(asking.file)} confirm={t.replace} act={replace} onClose={() => setAsking(null)}
          onConfirm={() => replace.mutate(asking.id, { onSuccess: (answer) => {
            setAsking(null)
            notifications.show({ title: answer.name, message: answer.message, autoClose: false })
          } })}
        />
      )}
    </div>
  )
}

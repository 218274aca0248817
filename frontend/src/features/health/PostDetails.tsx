import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { postQuery } from './calls'
import { Events } from './Events'
import classes from './Health.module.css'
import { text } from './text'

/** What is missing of a post, who said so and when, and all that was done. */
export function PostDetails({ id }: { id: string }) {
  const t = useText(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(postQuery(id))
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading rows={2} />
  return (
    <div className={classes.details}>
      {data.gone.map((gone) => (
        <div key={gone.file}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{gone.file}</Text>
          <Text size="xs" c="dimmed">{t.gone(format.number(gone.articles), format.number(gone.confirmed))} · {t.between(format.dateTime(gone.first), format.dateTime(gone.last))}{gone.providers.length > 0 && ` · ${t.said(gone.providers.join(', '))}`}</Text>
        </div>
      ))}
      <Events events={data.events} />
    </div>
  )
}

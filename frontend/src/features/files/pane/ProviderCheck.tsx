import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './pane.module.css'

/** Asks each provider, on demand, how many of a file's articles it has. */
export function ProviderCheck({ id }: { id: string }) {
  const t = useText(text).check
  const format = useFormat()
  const check = useMutation({ mutationFn: () => take(api.POST('/api/v1/files/{id}/check', { params: { path: { id } } })) })
  const answer = check.data
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3}>{t.title}</Title>
      <Text size="sm" c="dimmed">{t.hint}</Text>
      <Button size="compact-md" variant="default" loading={check.isPending} onClick={() => check.mutate()}>{t.ask}</Button>
      <div role="alert">{check.error !== null && <Alert color="red" variant="light">{check.error.message}</Alert>}</div>
      <div role="status">
        {answer !== undefined && (
          <>
            <table className={classes.answers}>
              <thead><tr>{[t.provider, t.found, t.missing, t.unanswered].map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
              <tbody>
                {answer.providers.map((one) => (
                  <tr key={one.name} data-missing={one.missing > 0 || undefined}>
                    <td>{one.name}{one.reason !== null && <Text size="sm" c="dimmed">{one.reason}</Text>}</td>
                    <td>{format.number(one.found)}</td>
                    <td>{format.number(one.missing)}</td>
                    <td>{format.number(one.unanswered)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Text size="sm" mt={4}>{t.asked(answer.asked, answer.articles)} {answer.gone > 0 ? t.gone(answer.gone) : answer.providers.length > 0 && t.noneGone} {answer.repair}</Text>
          </>
        )}
      </div>
    </Stack>
  )
}

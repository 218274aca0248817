import { Badge, Button, Group, Switch, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { sessionsQuery, useUsers } from './calls'
import { text } from './text'

/** The browsers that are signed in, and how to end them. */
export function Sessions({ manage }: { manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const [all, setAll] = useState(false)
  const { data, error, refetch } = useQuery(sessionsQuery(all))
  const { end, endOthers } = useUsers()
  const failure = error ?? end.error ?? endOthers.error
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div><Title order={2}>{t.sessions}</Title><Text size="sm" c="dimmed">{t.sessionsHint}</Text></div>
        <Group>
          {manage && <Switch label={t.everyone} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />}
          {!all && (data?.length ?? 0) > 1 && <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined, { onSuccess: () => notifications.show({ message: t.othersEnded }) })}>{t.endOthers}</Button>}
        </Group>
      </Group>
      {failure !== null && <ErrorNote error={failure} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={2} />}
      {data?.length === 0 && <Text size="sm">{t.noSessions}</Text>}
      {data !== undefined && data.length > 0 && (
        <Table.ScrollContainer minWidth={320} className="surface">
          <Table verticalSpacing={6}>
            <Table.Thead><Table.Tr>{all && <Table.Th>{t.user}</Table.Th>}<Table.Th>{t.program}</Table.Th><Table.Th>{t.seen}</Table.Th><Table.Th visibleFrom="sm">{t.begun}</Table.Th><Table.Td /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {data.map((session) => (
                <Table.Tr key={session.id}>
                  {all && <Table.Td>{session.username}</Table.Td>}
                  <Table.Td>{session.program ?? t.unknown} {session.current && <Badge variant="light" tt="none">{t.current}</Badge>}<Text size="xs" c="dimmed">{[session.address, t.via[session.via] ?? session.via].filter((part) => part !== null).join(' · ')}</Text></Table.Td>
                  <Table.Td><time dateTime={session.lastSeen} title={format.dateTime(session.lastSeen)}>{format.relative(session.lastSeen, now)}</time></Table.Td>
                  <Table.Td visibleFrom="sm"><time dateTime={session.begun}>{format.dateTime(session.begun)}</time></Table.Td>
                  <Table.Td ta="right">
                    {!session.current && <Button size="compact-sm" variant="default" disabled={end.isPending} aria-label={t.endOf(session.program ?? t.unknown)} onClick={() => end.mutate(session.id, { onSuccess: () => notifications.show({ message: t.ended }) })}>{t.end}</Button>}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  )
}

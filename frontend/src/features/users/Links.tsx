import { Badge, Button, Group, Switch, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkInfo } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { linksQuery, useRevokeLink } from './calls'
import { text } from './text'

/** Rows until all are asked for: whoever watches much has a link for each film. */
const few = 20

/** The links to files that one made, or that everybody made, and how to revoke them. */
export function Links({ manage }: { manage: boolean }) {
  const t = useText(text)
  const [all, setAll] = useState(false)
  const [long, setLong] = useState(false)
  const { data, error, refetch } = useQuery(linksQuery(all))
  const revoke = useRevokeLink()
  const failure = error ?? revoke.error
  const shown = long ? data : data?.slice(0, few)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div><Title order={2}>{t.links}</Title><Text size="sm" c="dimmed">{t.linksHint}</Text></div>
        {manage && <Switch label={t.everyone} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />}
      </Group>
      {failure !== null && <ErrorNote error={failure} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={2} />}
      {data?.length === 0 && <Text size="sm">{t.noSessions}</Text>}
      {shown !== undefined && shown.length > 0 && (
        <Table.ScrollContainer minWidth={320} className="surface">
          <Table verticalSpacing={6}>
            <Table.Thead><Table.Tr>{all && <Table.Th>{t.user}</Table.Th>}<Table.Th>{t.file}</Table.Th><Table.Th>{t.ends}</Table.Th><Table.Td /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {shown.map((link) => (
                <Row
                  key={link.id} link={link} all={all} isBusy={revoke.isPending}
                  onRevoke={() => revoke.mutate(link.id, { onSuccess: () => notifications.show({ message: t.linkRevoked }) })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!long && data !== undefined && data.length > few && <Button mt="xs" variant="default" onClick={() => setLong(true)}>{t.allLinks(data.length)}</Button>}
    </section>
  )
}

function Row({ link, all, isBusy, onRevoke }: { link: LinkInfo; all: boolean; isBusy: boolean; onRevoke: () => void }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const name = link.path.slice(link.path.lastIndexOf('/') + 1)
  const maker = link.via === 'key' ? t.linkKeys[link.maker] ?? link.maker : link.maker
  return (
    <Table.Tr>
      {all && <Table.Td>{maker === '' ? t.via[link.via] ?? link.via : maker}<Text size="xs" c="dimmed">{maker === '' ? null : t.via[link.via] ?? link.via}</Text></Table.Td>}
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {name} {link.play && <Badge variant="light" tt="none">{t.forPlayer}</Badge>}
        <Text size="xs" c="dimmed">{link.path.slice(0, -name.length - 1)} · {t.madeAt(format.dateTime(link.made))}</Text>
      </Table.Td>
      <Table.Td><time dateTime={link.expires} title={format.dateTime(link.expires)}>{format.relative(link.expires, now)}</time></Table.Td>
      <Table.Td ta="right"><Button size="compact-sm" variant="default" disabled={isBusy} aria-label={t.revokeOf(name)} onClick={onRevoke}>{t.revoke}</Button></Table.Td>
    </Table.Tr>
  )
}

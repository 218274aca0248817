import { ActionIcon, Button, Group, Menu, Select, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirmed } from '~/api/Confirmed'
import type { User } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { AddUser } from './AddUser'
import { usersQuery, useUsers } from './calls'
import { RemoveUser } from './RemoveUser'
import { useRoles } from './roles'
import { SetPassword } from './SetPassword'
import { text } from './text'

type Open = { what: 'add' } | { what: 'password' | 'remove'; name: string } | { what: 'role'; name: string; role: User['role'] } | null

/** All users with their roles. */
export function UserList({ own }: { own: string | null }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const roles = useRoles()
  const { data, error, refetch } = useQuery(usersQuery)
  const { setRole } = useUsers()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const change = (name: string, role: User['role'], confirmation: string) => {
    close()
    setRole.mutate({ name, role, confirmation }, { onSuccess: () => notifications.show({ message: t.roleChanged(name, t.roles[role]) }) })
  }
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t.who}</Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ what: 'add' })}>{t.add}</Button>
      </Group>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {setRole.error !== null && <ErrorNote error={setRole.error} />}
      {data === undefined && error === null && <Loading rows={3} />}
      {data?.length === 0 && <Text size="sm">{t.nobody}</Text>}
      {data !== undefined && data.length > 0 && (
        <Table.ScrollContainer minWidth={320} className="surface">
          <Table verticalSpacing={6}>
            <Table.Thead><Table.Tr><Table.Th>{t.username}</Table.Th><Table.Th>{t.role}</Table.Th><Table.Th visibleFrom="sm">{t.created}</Table.Th><Table.Th visibleFrom="sm">{t.seen}</Table.Th><Table.Td /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {data.map((user) => (
                <Table.Tr key={user.username} data-user={user.username}>
                  <Table.Td>{user.username}{user.username === own && <Text span size="xs" c="dimmed"> ({t.you})</Text>}</Table.Td>
                  <Table.Td>
                    <Select aria-label={t.roleOf(user.username)} data={roles} value={user.role} allowDeselect={false} maw={180} disabled={setRole.isPending}
                      onChange={(role) => role !== null && role !== user.role && setOpen({ what: 'role', name: user.username, role })} />
                  </Table.Td>
                  <Table.Td visibleFrom="sm"><time dateTime={user.created}>{format.dateTime(user.created)}</time></Table.Td>
                  <Table.Td visibleFrom="sm">{user.lastSeen === null ? t.never : <time dateTime={user.lastSeen} title={format.dateTime(user.lastSeen)}>{format.relative(user.lastSeen, now)}</time>}</Table.Td>
                  <Table.Td ta="right">
                    <Menu position="bottom-end">
                      <Menu.Target><ActionIcon variant="default" size="lg" aria-label={t.actions(user.username)}><IconDots size={18} aria-hidden /></ActionIcon></Menu.Target>
                      <Menu.Dropdown>
                        {user.username !== own && <Menu.Item onClick={() => setOpen({ what: 'password', name: user.username })}>{t.setPassword}</Menu.Item>}
                        <Menu.Item color="red" onClick={() => setOpen({ what: 'remove', name: user.username })}>{t.remove}</Menu.Item>
                      </Menu.Dropdown>
                    </Menu>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {open?.what === 'add' && <AddUser onClose={close} />}
      {open?.what === 'password' && <SetPassword name={open.name} onClose={close} />}
      {open?.what === 'role' && <Confirmed title={t.roleOf(open.name)} action={t.save} onConfirmed={(confirmation) => change(open.name, open.role, confirmation)} onClose={close} />}
      {open?.what === 'remove' && <RemoveUser name={open.name} onClose={close} />}
    </section>
  )
}

import { Group, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

/** The heading of a page, its actions at the right, and the title of the browser's tab. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} - NzbDav`
  }, [title])
  return (
    <Group justify="space-between" mb="md" mih={36} gap="sm">
      <Title order={1}>{title}</Title>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  )
}

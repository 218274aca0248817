import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { About } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { noticesQuery, pageLicencesQuery, type PageLicence } from './calls'
import { LicenceTable } from './LicenceTable'
import { LicenceText } from './LicenceText'
import { text } from './text'

/** What others made that ships with the program, in the server and in the page, and the texts of its licences. */
export function Licences({ licences }: { licences: About['licences'] }) {
  const t = useText(text)
  const page = useQuery(pageLicencesQuery).data ?? []
  const [open, setOpen] = useState<PageLicence | 'server' | null>(null)
  const notices = useQuery({ ...noticesQuery, enabled: open === 'server' })
  const close = () => setOpen(null)
  return (
    <section style={{ maxWidth: 720 }}>
      <Title order={2} mt="lg">{t.licences}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.licencesHint}</Text>
      <Title order={3} mt="sm" mb={4}>{t.inServer}</Title>
      <LicenceTable label={t.inServer} rows={licences} />
      <Button mt="xs" variant="default" size="compact-sm" onClick={() => setOpen('server')}>{t.texts}</Button>
      {page.length > 0 && (
        <>
          <Title order={3} mt="lg" mb={4}>{t.inPage}</Title>
          <LicenceTable label={t.inPage} rows={page} onOpen={setOpen} />
        </>
      )}
      {open === 'server' && <LicenceText title={t.texts} text={notices.data} error={notices.error} onClose={close} />}
      {open !== null && open !== 'server' && <LicenceText title={`${open.name} ${open.version}`} text={open.text} onClose={close} />}
    </section>
  )
}

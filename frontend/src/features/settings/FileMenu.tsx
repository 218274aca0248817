import { Button, FileButton, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '~/api/session'
import type { SettingsExport } from '~/api/types'
import { PasswordAgain } from '~/ui/PasswordAgain'
import { saveFile } from '~/ui/save'
import { useText } from '~/ui/text/catalogue'
import { useExport } from './calls'
import { ImportModal } from './ImportModal'
import { text } from './text'

/** Settings as a file: out without secrets, out with them after the password, in. */
export function FileMenu() {
  const t = useText(text)
  const session = useSession()
  const out = useExport()
  const [asking, ask] = useDisclosure(false)
  const [file, setFile] = useState<File | null>(null)
  const keep = (content: SettingsExport) => saveFile('nzbdav-settings.json', new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }))
  const close = () => {
    out.reset()
    ask.close()
  }
  return (
    <>
      <FileButton accept="application/json,.json" onChange={setFile} inputProps={{ 'aria-label': t.import }}>
        {({ onClick }) => (
          <Menu position="bottom-end">
            <Menu.Target><Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>{t.file}</Button></Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => out.mutate({ secrets: false, password: null, username: null }, { onSuccess: keep })}>{t.exportPlain}</Menu.Item>
              <Menu.Item onClick={ask.open}>{t.exportSecrets}</Menu.Item>
              <Menu.Item onClick={onClick}>{t.import}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </FileButton>
      <PasswordAgain opened={asking} title={t.exportTitle} action={t.export} busy={out.isPending} error={out.error} askName={session?.via !== 'password'} onClose={close}
        onSubmit={(credentials) => out.mutate({ secrets: true, ...credentials }, { onSuccess: (content) => { keep(content); close() } })}>
        <Text size="sm">{t.exportHint}</Text>
      </PasswordAgain>
      {file !== null && <ImportModal file={file} onClose={() => setFile(null)} />}
    </>
  )
}

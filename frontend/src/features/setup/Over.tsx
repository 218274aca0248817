import { List, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import classes from './Setup.module.css'
import { isDone, steps } from './steps'
import { text } from './text'
import type { SetupProgress } from './useSetup'

/** The end: what to do next, and what was skipped. */
export function Over({ progress }: { progress: SetupProgress | undefined }) {
  const t = useText(text)
  const open = progress === undefined ? [] : steps.filter((step) => !isDone(step, progress))
  return (
    <Stack gap="sm">
      <Text>{t.over.lead}</Text>
      {open.length > 0 && (
        <div>
          <Text>{t.over.missing}</Text>
          <List>{open.map((step) => <List.Item key={step}><Link to="/setup" search={{ step }}>{t.steps[step]}</Link></List.Item>)}</List>
        </div>
      )}
      <div className={classes.buttons}><LinkButton to="/">{t.finish}</LinkButton></div>
    </Stack>
  )
}

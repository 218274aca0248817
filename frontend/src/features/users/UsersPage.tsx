import { Stack } from '@mantine/core'
import { useRights, useSession } from '~/api/session'
import { PageTitle } from '~/ui/PageTitle'
import { useText } from '~/ui/text/catalogue'
import { AddonKeys } from './AddonKeys'
import { Keys } from './Keys'
import { Links } from './Links'
import { OwnPassword } from './OwnPassword'
import { Sessions } from './Sessions'
import { text } from './text'
import { UserList } from './UserList'

/** Who may do what. Everybody sees the own account here, administrators the others as well. */
export default function UsersPage() {
  const t = useText(text)
  const manage = useRights()('manage')
  const session = useSession()
  return (
    <>
      <PageTitle title={manage ? t.title : t.own} />
      <Stack gap="lg">
        {manage && <UserList own={session?.username ?? null} />}
        {session?.via === 'password' && <OwnPassword />}
        <Sessions manage={manage} />
        <Links manage={manage} />
        {manage && <AddonKeys />}
        {manage && <Keys askName={session?.via !== 'password'} />}
      </Stack>
    </>
  )
}

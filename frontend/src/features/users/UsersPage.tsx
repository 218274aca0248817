/** To be built. */
export default function UsersPage() {
  return null
}

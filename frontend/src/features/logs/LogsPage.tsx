/** To be built. */
export default function LogsPage() {
  return null
}

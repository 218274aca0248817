/** To be built. */
export default function SetupPage() {
  return null
}

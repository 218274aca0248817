namespace NzbDav.FullNzbTester.Replay;

/// <summary>An event of a provider in a recording.</summary>
/// <param name="At">Milliseconds since its beginning.</param>
/// <param name="Kind">Kind of the event.</param>
/// <param name="Value">The connection limit, for <see cref="ProviderMomentKind.Cap"/>.</param>
internal readonly record struct ProviderMoment(double At, ProviderMomentKind Kind, int Value = 0);

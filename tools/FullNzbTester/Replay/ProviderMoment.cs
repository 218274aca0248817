namespace NzbDav.FullNzbTester.Replay;

/// <summary>Something that a provider did at a time of a recording.</summary>
/// <param name="At">Milliseconds since its beginning.</param>
/// <param name="Kind">What.</param>
/// <param name="Value">How many connections it allows.</param>
internal readonly record struct ProviderMoment(double At, ProviderMomentKind Kind, int Value = 0);

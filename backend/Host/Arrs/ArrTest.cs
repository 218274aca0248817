namespace NzbDav.Host.Arrs;

/// <summary>Result of testing the connection to an *arr.</summary>
/// <param name="Ok">True if it answers and is the configured program.</param>
/// <param name="Version">Its version.</param>
/// <param name="Error">What is wrong, as text.</param>
/// <param name="Warning">What keeps it from importing although it answers, as text: it does not see the completed downloads.</param>
internal sealed record ArrTest(bool Ok, string? Version, string? Error, string? Warning);

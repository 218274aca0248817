namespace NzbDav.Host.Arrs;

/// <summary>Whether one can be reached.</summary>
/// <param name="Ok">True if it answers and is what it is meant to be.</param>
/// <param name="Version">Its version.</param>
/// <param name="Error">What is wrong, in words.</param>
internal sealed record ArrTest(bool Ok, string? Version, string? Error);

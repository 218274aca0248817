namespace NzbDav.Api.Native.Streams;

/// <summary>What a provider was asked for a file's articles in the last minutes.</summary>
/// <param name="Provider">Which; null: it is configured no more.</param>
/// <param name="Articles">How often it was asked.</param>
/// <param name="Found">How often the article came.</param>
/// <param name="Missing">How often it did not have it.</param>
/// <param name="Faults">How often it came damaged, late or not at all.</param>
/// <param name="MedianSeconds">Half of those that came took longer, from asking to the end; null: none came.</param>
/// <param name="LongestSeconds">The one that took longest; null: none came.</param>
internal sealed record StreamProviderBody(string? Provider, int Articles, int Found, int Missing, int Faults, double? MedianSeconds, double? LongestSeconds);

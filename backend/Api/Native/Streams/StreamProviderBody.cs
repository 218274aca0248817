namespace NzbDav.Api.Native.Streams;

/// <summary>Requests to one provider for a file's articles in the last minutes.</summary>
/// <param name="Provider">Name of the provider; null: it is no longer configured.</param>
/// <param name="Articles">Number of requests.</param>
/// <param name="Found">How often it delivered the article.</param>
/// <param name="Missing">How often it did not have the article.</param>
/// <param name="Faults">How often the article arrived damaged, late or not at all.</param>
/// <param name="MedianSeconds">Median time of a delivered article, from the request to its end; null: none was delivered.</param>
/// <param name="LongestSeconds">The longest time of a delivered article; null: none was delivered.</param>
internal sealed record StreamProviderBody(string? Provider, int Articles, int Found, int Missing, int Faults, double? MedianSeconds, double? LongestSeconds);

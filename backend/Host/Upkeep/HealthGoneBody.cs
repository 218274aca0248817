namespace NzbDav.Host.Upkeep;

/// <summary>What is missing of a file.</summary>
/// <param name="Id">The file's id.</param>
/// <param name="File">Its name.</param>
/// <param name="Articles">Articles that are missing of it, of those that were asked for.</param>
/// <param name="Confirmed">Of these, those that were missing twice, days apart.</param>
/// <param name="First">When the first of them was first missing.</param>
/// <param name="Last">When the last of them was last missing.</param>
/// <param name="Providers">Who said so.</param>
internal sealed record HealthGoneBody(string Id, string File, int Articles, int Confirmed, DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Providers);

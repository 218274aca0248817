namespace NzbDav.Host.Upkeep;

/// <summary>Missing articles of a file.</summary>
/// <param name="Id">The file's id.</param>
/// <param name="File">Its name.</param>
/// <param name="Articles">How many of the checked articles are missing.</param>
/// <param name="Confirmed">How many of these were missing twice, days apart.</param>
/// <param name="First">When an article was first found missing.</param>
/// <param name="Last">When an article was last found missing.</param>
/// <param name="Providers">The providers that reported it.</param>
internal sealed record HealthGoneBody(string Id, string File, int Articles, int Confirmed, DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Providers);

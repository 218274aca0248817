namespace NzbDav.Catalog.Links;

/// <summary>The times at which all libraries were read.</summary>
/// <param name="First">The first time that all could be read.</param>
/// <param name="Last">The last time.</param>
/// <param name="Categories">The categories whose *arr was read the last time.</param>
public sealed record LibraryReadings(DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Categories);

namespace NzbDav.Host.Upkeep;

/// <summary>A page of posts.</summary>
/// <param name="Total">How many there are in all.</param>
/// <param name="Posts">Those of the page, the latest change first.</param>
internal sealed record HealthListBody(int Total, IReadOnlyList<HealthPostBody> Posts);

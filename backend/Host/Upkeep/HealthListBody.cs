namespace NzbDav.Host.Upkeep;

/// <summary>A page of posts.</summary>
/// <param name="Total">Number of all posts.</param>
/// <param name="Posts">The posts of this page, latest change first.</param>
internal sealed record HealthListBody(int Total, IReadOnlyList<HealthPostBody> Posts);

namespace NzbDav.Host.Upkeep;

/// <summary>All details of a post's health.</summary>
/// <param name="Post">The post.</param>
/// <param name="Gone">Missing articles, by file.</param>
/// <param name="Events">What was found and done, latest first.</param>
internal sealed record HealthDetailBody(HealthPostBody Post, IReadOnlyList<HealthGoneBody> Gone, IReadOnlyList<HealthEventBody> Events);

namespace NzbDav.Host.Upkeep;

/// <summary>All that is known of the health of a post.</summary>
/// <param name="Post">The post.</param>
/// <param name="Gone">What is missing, by file.</param>
/// <param name="Events">What was found and done, the latest first.</param>
internal sealed record HealthDetailBody(HealthPostBody Post, IReadOnlyList<HealthGoneBody> Gone, IReadOnlyList<HealthEventBody> Events);

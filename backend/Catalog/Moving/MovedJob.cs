namespace NzbDav.Catalog.Moving;

/// <summary>What became of a title that was brought over from another program.</summary>
/// <param name="JobId">The job.</param>
/// <param name="State">Where it stands: <c>queued</c>, <c>running</c>, <c>completed</c>, <c>failed</c>; null: it was removed since.</param>
/// <param name="Message">Why it failed, or what it waits for.</param>
public sealed record MovedJob(long JobId, string? State, string? Message);

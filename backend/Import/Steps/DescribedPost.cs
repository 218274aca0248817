namespace NzbDav.Import;

/// <summary>What the recovery data of a post say of it.</summary>
/// <param name="Names">What they say of files that they know; names with folders, not made safe.</param>
/// <param name="Absent">Names of files that they describe and that were not posted.</param>
internal sealed record DescribedPost(IReadOnlyDictionary<ProbedFile, DescribedFile> Names, IReadOnlyList<string> Absent);

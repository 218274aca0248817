namespace NzbDav.Import;

/// <summary>The files of a post with their names.</summary>
/// <param name="Files">In the order of the post.</param>
/// <param name="Absent">Names of files that recovery data describe and that are not among <paramref name="Files"/>; not made safe.</param>
internal sealed record NamedPost(IReadOnlyList<NamedFile> Files, IReadOnlyList<string> Absent)
{
    /// <summary>How the subjects of all files in the .nzb count them, as in <c>[4/5]</c>.</summary>
    public IReadOnlySet<(int File, int FileCount)> Counted { get; init; } = new HashSet<(int, int)>();
}

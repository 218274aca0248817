namespace NzbDav.Import.Steps;

/// <summary>The files of a post with their names.</summary>
/// <param name="Files">The files, in the order of the post.</param>
/// <param name="Absent">Names of files that recovery data describe and that are not among <paramref name="Files"/>; not made safe.</param>
internal sealed record NamedPost(IReadOnlyList<NamedFile> Files, IReadOnlyList<string> Absent)
{
    /// <summary>File number and number of files in the subjects of all files in the .nzb, as in <c>[4/5]</c>.</summary>
    public IReadOnlySet<(int File, int FileCount)> Counted { get; init; } = new HashSet<(int, int)>();
}

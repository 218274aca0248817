using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>
/// Gives each file its name. In order of preference: the name in the recovery data for a file with the same first 16 KiB, the better one of
/// the names in its articles and in its subject, and the job's name with a number.
/// </summary>
internal sealed class NameStep(ImportTools tools)
{
    /// <summary>Folders with which the tree of a Blu-ray or DVD begins.</summary>
    private static readonly HashSet<string> DiscRoots = new(StringComparer.OrdinalIgnoreCase)
    {
        "BDMV", "CERTIFICATE", "VIDEO_TS", "AUDIO_TS",
    };

    public async Task<StepResult<NamedPost>> RunAsync(string job, IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken)
    {
        var described = await new RecoveryNames(tools).ReadAsync(files, cancellationToken);
        if (!described.Succeeded)
            return described.Failure;
        var named = new NamedFile[files.Count];
        for (var i = 0; i < named.Length; i++)
        {
            var description = described.Value.Names.GetValueOrDefault(files[i]);
            var path = SafeName.PathOf(description?.Name);
            var file = files[i] is { Inferred: { } inferred } && description is not null
                ? files[i] with { Inferred = inferred with { HeadHash = description.HeadHash } } : files[i];
            named[i] = path.Count > 0 ? new NamedFile(file, path, Certain: true)
                : new NamedFile(file, PostedPath(job, file, i), Certain: false);
        }

        var twins = described.Value.Twins.Where(twin => twin.File.Set is null)
            .Select(twin => new NamedFile(twin.File, SafeName.PathOf(twin.Described.Name), Certain: true));
        return new NamedPost([.. named, .. twins.Where(twin => twin.Path.Count > 0)], described.Value.Absent);
    }

    /// <summary>
    /// The best of the posted names. Folders are those of the poster's disk and are dropped, except from the root of a disc on.
    /// </summary>
    private static IReadOnlyList<string> PostedPath(string job, ProbedFile file, int index)
    {
        var path = SafeName.PathOf(file.Header.Name);
        var root = path.ToList().FindIndex(folder => DiscRoots.Contains(folder));
        return root >= 0 && root < path.Count - 1 ? [.. path.Skip(root)] : [Choose(job, file, index)];
    }

    /// <summary>
    /// The best of the posted names of a file: prefers meaningful names to random ones, and extensions that fit the file's bytes.
    /// </summary>
    /// <param name="job">The job's name.</param>
    /// <param name="file">The file.</param>
    /// <param name="index">Its index in the post, which numbers files without a name.</param>
    internal static string Choose(string job, ProbedFile file, int index)
    {
        string? best = null;
        var rank = int.MinValue;
        var type = FileSignature.Of(file.Head.Span).Type;
        foreach (var name in new[] { file.Header.Name, file.Posted.FileName })
        {
            if (SafeName.Of(name) is not { } safe)
                continue;

            // Bytes that are not UTF-8 were read as Latin-1. Control characters then show that the text has another charset. An .nzb
            // declares its charset.
            var isGarbled = name.AsSpan().ContainsAnyInRange('\u0080', '\u009f');
            var score = 1 + (FileExtension.IsUsual(safe) ? 1 : 0)
                + (RandomName.Is(safe) ? 0 : 2) - (IsContradicted(safe, type) ? 1 : 0) - (isGarbled ? 4 : 0);
            if (score > rank)
                (best, rank) = (safe, score);
        }

        return best ?? SafeName.WithNumber(job, index + 1);
    }

    /// <summary>True if the extension contradicts the type of the file's bytes. Parts and volumes can begin with any bytes.</summary>
    private static bool IsContradicted(string safe, FileType type) =>
        type != FileType.Unknown && FileExtension.TypeOf(safe) is var expected && expected is not (FileType.Unknown or FileType.Archive)
            && FileExtension.Resolve(safe, type) != expected;
}

/// <summary>The files of a post with their names.</summary>
/// <param name="Files">The files, in the order of the post.</param>
/// <param name="Absent">Names of files that recovery data describe and that are not among <paramref name="Files"/>; not made safe.</param>
internal sealed record NamedPost(IReadOnlyList<NamedFile> Files, IReadOnlyList<string> Absent)
{
    /// <summary>File number and number of files in the subjects of all files in the .nzb, as in <c>[4/5]</c>.</summary>
    public IReadOnlySet<(int File, int FileCount)> Counted { get; init; } = new HashSet<(int, int)>();
}

/// <summary>A posted file and its name.</summary>
/// <param name="File">The posted file, with the place of its bytes.</param>
/// <param name="Path">Folders and name, all made safe; folders only if the recovery data or the root of a disc name them. Not yet
/// unique.</param>
/// <param name="Certain">True if recovery data identified the file by its bytes; false for a posted name.</param>
internal sealed record NamedFile(ProbedFile File, IReadOnlyList<string> Path, bool Certain)
{
    public string Name => Path[^1];

    /// <summary>Type and extension by its first bytes.</summary>
    public (FileType Type, string Extension) Signature { get; } = FileSignature.Of(File.Head.Span);
}

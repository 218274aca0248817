namespace NzbDav.Import;

/// <summary>
/// Gives each file its name: what recovery data say of a file with these first 16 KiB, else what its articles say, else what the subject says, else
/// the job's name and a number.
/// </summary>
internal sealed class NameStep(ImportTools tools)
{
    public async Task<StepResult<NamedPost>> RunAsync(string job, IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken)
    {
        var described = await new RecoveryNames(tools).ReadAsync(files, cancellationToken);
        if (!described.Succeeded)
            return described.Failure;
        var named = new NamedFile[files.Count];
        for (var i = 0; i < named.Length; i++)
        {
            var told = described.Value.Names.GetValueOrDefault(files[i]);
            var path = SafeName.PathOf(told?.Name);
            named[i] = (path.Count > 0 ? new NamedFile(files[i], path, Certain: true) : new NamedFile(files[i], [Choose(job, files[i], i)], Certain: false)) with
            {
                HeadHash = told?.HeadHash ?? default,
            };
        }

        return new NamedPost(named, described.Value.Absent);
    }

    /// <summary>The best of what posters say of a file: names that mean something before noise, extensions that its bytes do not contradict before others.</summary>
    /// <param name="job">The job's name.</param>
    /// <param name="file">The file.</param>
    /// <param name="index">Its place in the post: numbers those of which nothing is said.</param>
    internal static string Choose(string job, ProbedFile file, int index)
    {
        string? best = null;
        var rank = int.MinValue;
        var type = FileSignature.Of(file.Head.Span).Type;
        foreach (var name in new[] { file.Header.Name, file.Posted.FileName })
        {
            if (SafeName.Of(name) is not { } said)
                continue;

            // Bytes that are not UTF-8 were read as Latin-1: what has controls in it then is text in another charset. The .nzb declares its own.
            var isGarbled = name.AsSpan().ContainsAnyInRange('\u0080', '\u009f');
            var worth = 1 + (FileExtension.IsUsual(said) ? 1 : 0) + (NoiseName.Is(said) ? 0 : 2) - (IsContradicted(said, type) ? 1 : 0) - (isGarbled ? 4 : 0);
            if (worth > rank)
                (best, rank) = (said, worth);
        }

        return best ?? SafeName.WithNumber(job, index + 1);
    }

    /// <summary>The extension stands for something that its bytes are not. Parts and volumes begin as anything.</summary>
    private static bool IsContradicted(string said, FileType type) =>
        type != FileType.Unknown && FileExtension.TypeOf(said) is var promised && promised is not (FileType.Unknown or FileType.Archive) && FileExtension.Judge(said, type) != promised;
}

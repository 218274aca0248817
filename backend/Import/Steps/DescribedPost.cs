using NzbDav.Import.Probing;

namespace NzbDav.Import.Steps;

/// <summary>A post as its recovery data describe it.</summary>
/// <param name="Names">The descriptions of the posted files that were recognised. Names may have folders and are not made safe.</param>
/// <param name="Absent">Names of described files that were not posted.</param>
internal sealed record DescribedPost(IReadOnlyDictionary<ProbedFile, DescribedFile> Names, IReadOnlyList<string> Absent)
{
    /// <summary>Further names of recognised files: the same bytes under several paths, as in the backup folder of a Blu-ray.</summary>
    public IReadOnlyList<(ProbedFile File, DescribedFile Described)> Twins { get; init; } = [];
}

using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>Leaves out unwanted files, and refuses useless posts: those without a video in a category for videos, and dead ones.</summary>
internal sealed partial class ValidateStep(ImportTools tools, ArticleSurvey survey)
{
    /// <summary>A sample has at most this fraction (1/10) of the main video's size.</summary>
    private const int SampleShare = 10;

    public async Task<StepResult<IReadOnlyList<ContentFile>>> RunAsync(
        CatalogJob job, IReadOnlyList<ContentFile> files, CancellationToken cancellationToken)
    {
        var kept = Filter(files);
        if (tools.Options.VideoCategories.Contains(job.Category, StringComparer.OrdinalIgnoreCase) && !kept.Any(IsVideo))
        {
            var biggest = files.MaxBy(file => file.Size)!;
            return NoVideo("post", job.Category, biggest.Name, biggest.Size, biggest.Type);
        }

        return await new SurvivalCheck(tools, survey).RunAsync(kept, cancellationToken) is { } dead
            ? dead : new StepResult<IReadOnlyList<ContentFile>>(kept, Failure: null);
    }

    /// <summary>
    /// Refuses a torrent without a video in a category for videos. Names determine the types, since nothing was read yet: the biggest file
    /// may be a video if its name shows no type, and an archive that cannot be read may contain one.
    /// </summary>
    /// <param name="job">The torrent's job.</param>
    /// <param name="files">The files that would be published.</param>
    /// <param name="options">Which categories are for videos.</param>
    /// <returns>Null if it is not refused.</returns>
    public static ImportFailure? Refuse(CatalogJob job, IReadOnlyList<TorrentContentFile> files, ImportOptions options)
    {
        if (!options.VideoCategories.Contains(job.Category, StringComparer.OrdinalIgnoreCase)
            || files.Any(file => FileExtension.TypeOf(file.Path[^1]) is FileType.Video or FileType.Disc))
            return null;
        var biggest = files.MaxBy(file => file.Size)!;
        var (name, type) = (biggest.Path[^1], FileExtension.TypeOf(biggest.Path[^1]));
        return type == FileType.Archive || (type == FileType.Unknown && !IsProgram(FileExtension.Of(name)))
            ? null
            : NoVideo("torrent", job.Category, name, biggest.Size, type);
    }

    private static ImportFailure NoVideo(string what, string category, string name, long size, FileType type)
    {
        var why = ExplainBiggest(FileExtension.Of(name), type);
        return new(
            ImportFailure.NoVideo,
            $"There is no video in this {what}, and the category '{category}' is for videos. Its biggest file is '{name}' with {size} " +
            $"bytes.{why}");
    }

    private static bool IsProgram(string extension) =>
        extension.ToUpperInvariant() is ".EXE" or ".SCR" or ".COM" or ".BAT" or ".MSI" or ".LNK";

    /// <summary>If the biggest file may contain a video after all: why it is not used.</summary>
    private static string ExplainBiggest(string extension, FileType type)
    {
        extension = extension.ToUpperInvariant();
        return IsProgram(extension) ? " It is a program, which a film never is: do not run it."
            : extension == ".NZB" ? " It lists another post: import that."
            : type != FileType.Archive ? ""
            : extension is ".RAR" or ".7Z" ? " It is an archive that is nested too deeply in others, or that could not be read."
            : extension is ".ZIP" ? " It is a ZIP that cannot be read from the middle: its files are compressed, or its end is missing."
            : extension is ".TAR" or ".GZ" or ".BZ2" or ".XZ" or ".ZST" or ".ARJ" or ".ACE"
                ? $" Archives of type {extension[1..]} are not supported."
            : "";
    }

    // A disc image counts as a video: players open it.
    private static bool IsVideo(ContentFile file) => file.Type is FileType.Video or FileType.Disc;

    private List<ContentFile> Filter(IReadOnlyList<ContentFile> files)
    {
        // The biggest video, or the biggest file if there is none, is the purpose of the job: no pattern removes it.
        var main = files.Where(IsVideo).MaxBy(file => file.Size) ?? files.MaxBy(file => file.Size)!;
        var kept = new List<ContentFile>(files.Count);
        foreach (var file in files)
        {
            if (ReferenceEquals(file, main) || !IsUnwanted(file, main))
                kept.Add(file);
            else
                LogFiltered(tools.Logger, file.Name);
        }

        return kept;
    }

    private bool IsUnwanted(ContentFile file, ContentFile main) =>
        NamePattern.Any(tools.Options.Blocklist, file.Name)
        || (file.Type == FileType.Recovery && NamePattern.Any(tools.Options.Blocklist, "x.par2"))
        || (file.Type == FileType.Video && file.Size <= main.Size / SampleShare && NamePattern.Any(tools.Options.Samples, file.Name));

    [LoggerMessage(206, LogLevel.Debug, "Left out {File}: it matches a pattern in the settings.")]
    private static partial void LogFiltered(ILogger logger, string file);
}

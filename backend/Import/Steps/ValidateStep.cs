using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>Leaves out unwanted files, and refuses useless posts: one without a video in a category for videos, and one that is dead.</summary>
internal sealed partial class ValidateStep(ImportTools tools, ArticleSurvey survey)
{
    /// <summary>A sample has at most this fraction (1/10) of the main video's size.</summary>
    private const int SampleShare = 10;

    public async Task<StepResult<IReadOnlyList<ContentFile>>> RunAsync(CatalogJob job, IReadOnlyList<ContentFile> files, CancellationToken cancellationToken)
    {
        var kept = Filter(files);
        if (tools.Options.VideoCategories.Contains(job.Category, StringComparer.OrdinalIgnoreCase) && !kept.Any(IsVideo))
        {
            var biggest = files.MaxBy(file => file.Size)!;
            return new ImportFailure(
                ImportFailure.NoVideo, $"There is no video in this post, and the category '{job.Category}' is for videos. Its biggest file is '{biggest.Name}' with {biggest.Size} bytes.{Why(biggest)}");
        }

        return await new SurvivalCheck(tools, survey).RunAsync(kept, cancellationToken) is { } dead ? dead : new StepResult<IReadOnlyList<ContentFile>>(kept, Failure: null);
    }

    /// <summary>If the biggest file may contain a video after all: why it is not used.</summary>
    private static string Why(ContentFile biggest)
    {
        var extension = FileExtension.Of(biggest.Name).ToUpperInvariant();
        return extension is ".EXE" or ".SCR" or ".COM" or ".BAT" or ".MSI" ? " It is a program, which a film never is: do not run it."
            : extension == ".NZB" ? " It lists another post: import that."
            : biggest.Type != FileType.Archive ? ""
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
        var matters = files.Where(IsVideo).MaxBy(file => file.Size) ?? files.MaxBy(file => file.Size)!;
        var kept = new List<ContentFile>(files.Count);
        foreach (var file in files)
        {
            if (ReferenceEquals(file, matters) || !IsUnwanted(file, matters))
                kept.Add(file);
            else
                LogFiltered(tools.Logger, file.Name);
        }

        return kept;
    }

    private bool IsUnwanted(ContentFile file, ContentFile matters) =>
        NamePattern.Any(tools.Options.Blocklist, file.Name)
        || (file.Type == FileType.Recovery && NamePattern.Any(tools.Options.Blocklist, "x.par2"))
        || (file.Type == FileType.Video && file.Size <= matters.Size / SampleShare && NamePattern.Any(tools.Options.Samples, file.Name));

    [LoggerMessage(206, LogLevel.Debug, "Left out {File}: it matches a pattern in the settings.")]
    private static partial void LogFiltered(ILogger logger, string file);
}

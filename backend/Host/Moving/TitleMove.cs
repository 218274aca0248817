using NzbDav.Catalog;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Goes through another program's titles and takes those in that are not here yet. What was taken stays when it is interrupted; another run goes on.</summary>
/// <param name="known">Titles that came in earlier runs.</param>
/// <param name="sink">Takes them.</param>
/// <param name="report">Told what becomes of each.</param>
internal sealed class TitleMove(IReadOnlyDictionary<string, MovedJob> known, ITitleSink sink, MoveReport report)
{
    /// <summary>Titles between two lines that tell how far it is.</summary>
    private const int TellEvery = 500;

    /// <param name="library">The titles.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <param name="cancellationToken">Stops behind the title that is being taken.</param>
    /// <exception cref="MigrationException">The library cannot be read on.</exception>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task RunAsync(OldLibrary library, TextWriter progress, CancellationToken cancellationToken)
    {
        foreach (var title in library.ReadTitles(cancellationToken))
        {
            await TakeAsync(title, cancellationToken);
            if (report.Titles.Count % TellEvery == 0)
                await progress.WriteLineAsync($"{report.Titles.Count} titles read, the last is {report.Titles[^1].Title}");
        }
    }

    private async Task TakeAsync(OldTitle title, CancellationToken cancellationToken)
    {
        if (known.TryGetValue(title.Key, out var before))
            report.Add(title, MoveResult.Skipped, ReasonOf(before), before.JobId);
        else if (title.Skipped is not null)
            report.Add(title, MoveResult.Skipped, title.Skipped);
        else if (title.OpenNzb is null)
            report.Add(title, MoveResult.CannotCome, title.Refusal ?? "Its .nzb is not there.");
        else
            await OpenAsync(title, cancellationToken);
    }

    private async Task OpenAsync(OldTitle title, CancellationToken cancellationToken)
    {
        try
        {
            var (job, error) = await sink.TakeAsync(title, cancellationToken);
            report.Add(title, error is null ? MoveResult.Came : MoveResult.CannotCome, error is null ? null : $"Its .nzb cannot be used: {error}", job);
        }
        catch (Exception e) when ((e is InvalidDataException or IOException or UnauthorizedAccessException or FormatException) && e is not CatalogException)
        {
            report.Add(title, MoveResult.CannotCome, $"Its .nzb cannot be read: {e.Message}");
        }
    }

    private static string ReasonOf(MovedJob before) => before.State switch
    {
        null => "It came in an earlier run and was removed since.",
        "failed" => $"It came in an earlier run, and its import failed: {before.Message} Retry it on the page.",
        _ => "It came in an earlier run.",
    };
}

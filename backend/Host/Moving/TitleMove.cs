using NzbDav.Catalog;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Goes through another program's titles and takes those in that are not here yet, several at a time. What was taken stays when it is interrupted; another run goes on.</summary>
/// <param name="known">Titles that came in earlier runs.</param>
/// <param name="sink">Takes them.</param>
/// <param name="report">Told what becomes of each.</param>
internal sealed class TitleMove(IReadOnlyDictionary<string, MovedJob> known, ITitleSink sink, MoveReport report)
{
    /// <summary>Titles between two lines that tell how far it is.</summary>
    private const int TellEvery = 500;

    /// <summary>Titles that are taken at a time: each waits for the disk, which makes several durable together.</summary>
    private const int Together = 8;

    private const string Here = "The same post is here already: its old paths lead to that.";

    /// <param name="library">The titles.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <param name="cancellationToken">Stops behind the titles that are being taken.</param>
    /// <exception cref="MigrationException">The library cannot be read on.</exception>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task RunAsync(OldLibrary library, TextWriter progress, CancellationToken cancellationToken)
    {
        var running = new Queue<Task>();
        try
        {
            foreach (var title in library.ReadTitles(cancellationToken))
            {
                running.Enqueue(TakeAsync(title, cancellationToken));
                if (running.Count == Together)
                    await running.Dequeue();
                if (report.Titles.Count % TellEvery == 0)
                    await progress.WriteLineAsync($"{report.Titles.Count} titles read, the last is {title.Name}");
            }
        }
        finally
        {
            await Task.WhenAll(running);
        }
    }

    /// <summary>Up to its first wait on the caller's thread: there the library is read, which one caller may at a time.</summary>
    private Task TakeAsync(OldTitle title, CancellationToken cancellationToken)
    {
        if (known.TryGetValue(title.Key, out var before))
            report.Add(title, MoveResult.Skipped, ReasonOf(before), before.JobId);
        else if (title.Skipped is not null)
            report.Add(title, MoveResult.Skipped, title.Skipped);
        else if (title.OpenNzb is null)
            report.Add(title, MoveResult.CannotCome, title.Refusal ?? "Its .nzb is not there.");
        else
            return OpenAsync(title, report.Reserve(title), cancellationToken);
        return Task.CompletedTask;
    }

    private async Task OpenAsync(OldTitle title, int place, CancellationToken cancellationToken)
    {
        try
        {
            await using var nzb = title.OpenNzb!();
            var (job, wasHere, error) = await sink.TakeAsync(title, nzb, cancellationToken);
            if (wasHere)
                report.Skip(place, Here, job);
            else
                report.Settle(place, error is null ? null : $"Its .nzb cannot be used: {error}", job);
        }
        catch (Exception e) when ((e is InvalidDataException or IOException or UnauthorizedAccessException or FormatException) && e is not CatalogException)
        {
            report.Settle(place, $"Its .nzb cannot be read: {e.Message}", jobId: null);
        }
    }

    private static string ReasonOf(MovedJob before) => before.State switch
    {
        null => "It came in an earlier run and was removed since.",
        "failed" => $"It came in an earlier run, and its import failed: {before.Message} Retry it on the page.",
        _ => "It came in an earlier run.",
    };
}

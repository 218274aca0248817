using NzbDav.Catalog.Database;
using NzbDav.Catalog.Moving;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>
/// Imports the titles of another program that are not here yet, several at a time. After an interruption, imported titles stay and another
/// run continues.
/// </summary>
/// <param name="known">Titles migrated in earlier runs.</param>
/// <param name="sink">Imports them.</param>
/// <param name="report">Receives the outcome of each title.</param>
internal sealed class TitleMove(IReadOnlyDictionary<string, MovedJob> known, ITitleSink sink, MoveReport report)
{
    /// <summary>Titles between two progress messages.</summary>
    private const int ProgressEvery = 500;

    /// <summary>Titles imported at the same time: each waits for the disk, and one sync makes several durable.</summary>
    private const int MaxAtOnce = 8;

    private const string Here = "The same post is here already: its old paths lead to it.";

    /// <param name="library">The titles.</param>
    /// <param name="progress">Receives progress messages.</param>
    /// <param name="cancellationToken">Stops after the titles that are being imported.</param>
    /// <exception cref="MigrationException">The rest of the library cannot be read.</exception>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task RunAsync(OldLibrary library, TextWriter progress, CancellationToken cancellationToken)
    {
        var running = new Queue<Task>();
        try
        {
            foreach (var title in library.ReadTitles(cancellationToken))
            {
                running.Enqueue(MoveAsync(title, cancellationToken));
                if (running.Count == MaxAtOnce)
                    await running.Dequeue();
                if (report.Titles.Count % ProgressEvery == 0)
                    await progress.WriteLineAsync($"{report.Titles.Count} titles read, the last is {title.Name}");
            }
        }
        finally
        {
            await Task.WhenAll(running);
        }
    }

    /// <summary>
    /// Runs on the caller's thread up to its first wait: until then it reads the library, which only one caller may do at a time.
    /// </summary>
    private Task MoveAsync(OldTitle title, CancellationToken cancellationToken)
    {
        if (known.TryGetValue(title.Key, out var before))
            report.Add(title, MoveResult.Skipped, ReasonOf(before), before.JobId);
        else if (title.Skipped is not null)
            report.Add(title, MoveResult.Skipped, title.Skipped);
        else if (title.OpenNzb is null)
            report.Add(title, MoveResult.CannotCome, title.Refusal ?? "Its .nzb is missing.");
        else
            return OpenAsync(title, report.Reserve(title), cancellationToken);
        return Task.CompletedTask;
    }

    private async Task OpenAsync(OldTitle title, int place, CancellationToken cancellationToken)
    {
        try
        {
            await using var nzb = title.OpenNzb!();
            var (job, wasHere, error) = await sink.ImportAsync(title, nzb, cancellationToken);
            if (wasHere)
                report.Skip(place, Here, job);
            else
                report.SetOutcome(place, error is null ? null : $"Its .nzb cannot be used: {error}", job);
        }
        catch (Exception e)
            when ((e is InvalidDataException or IOException or UnauthorizedAccessException or FormatException) && e is not CatalogException)
        {
            report.SetOutcome(place, $"Its .nzb cannot be read: {e.Message}", jobId: null);
        }
    }

    private static string ReasonOf(MovedJob before) => before.State switch
    {
        null => "It was migrated in an earlier run and has been removed since.",
        "failed" => $"It was migrated in an earlier run, and its import failed: {before.Message} Retry it on the page.",
        _ => "It was migrated in an earlier run.",
    };
}

/// <summary>Imports titles of another program, or only checks whether they could be imported.</summary>
internal interface ITitleSink
{
    /// <summary>Imports a title that has an .nzb. Several calls may run at the same time.</summary>
    /// <param name="title">The title.</param>
    /// <param name="nzb">Its .nzb, disposed by the caller.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The job, and whether it existed before; or why the title cannot be imported, as a sentence.</returns>
    Task<(long? JobId, bool WasHere, string? Error)> ImportAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken);
}

using System.Globalization;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Repair;

public sealed partial class PostMender
{
    private async Task RunAsync(CatalogItem item, string article, PostMending mending)
    {
        var end = new Ending("An unexpected error ended its repair.", _tools.Time.GetUtcNow() + FailedFor);
        try
        {
            end = await RunToEndAsync(item, article, mending);
        }
        catch (Exception e)
        {
            LogFault(_logger, item.Name, e);
        }
        finally
        {
            // Whatever happened: until the mending has ended every reader of the file waits for it, and it is not begun again.
            lock (_gate)
                _active--;
            mending.End(end.Why, end.Until, end.IsPassing);
        }
    }

    private async Task<Ending> RunToEndAsync(CatalogItem item, string article, PostMending mending)
    {
        ImportFailure? failure;
        try
        {
            if (mending.IsFirst && await _ledger.FindFailureAsync(item, _stopping.Token) is { } known)
                return new Ending(known.Reason, known.Until);
            await _one.WaitAsync(_stopping.Token);
            try
            {
                mending.IsStarted = true;
                failure = await RepairAsync(item, article, mending.Report, _stopping.Token);
            }
            finally
            {
                _one.Release();
            }
        }
        catch (OperationCanceledException)
        {
            failure = new ImportFailure(ImportFailure.Unavailable, "The server is stopping.", Passing: true);
        }
        catch (CatalogException e)
        {
            failure = new ImportFailure(ImportFailure.Storage, $"Its repair could not begin: {e.Message}", Passing: true);
        }
        catch (Exception e)
        {
            // Also OutOfMemoryException: it ends the repair, not the process.
            LogFault(_logger, item.Name, e);
            failure = new ImportFailure(ImportFailure.Internal, $"An unexpected error ended its repair: {e.Message}");
        }

        if (failure is null)
            LogMended(_logger, item.Name);
        else if (!_stopping.IsCancellationRequested)
            LogFailed(_logger, item.Name, failure.Message);
        var until = _tools.Time.GetUtcNow() + (failure is { Passing: true } ? DelayAfter(failure, mending.Delayed) : FailedFor);
        await _ledger.EndAsync(item, article, failure, until);
        return new Ending(failure?.Message, until, failure is { Passing: true });
    }

    /// <returns>Null if the article was restored, or others on which it may depend.</returns>
    private async Task<ImportFailure?> RepairAsync(CatalogItem item, string article, Action<int> progress, CancellationToken cancellationToken)
    {
        // The repair for another file of the set may have restored it.
        if (_tools.Usenet.IsMade(article))
            return null;
        if (ArticleIds.IsNameless(article))
            return Hopeless("Its .nzb does not list the article, so a restored copy could not be kept.");
        if (item.JobId is not { } id || await _tools.Jobs.GetAsync(id, cancellationToken) is not { Kind: JobKind.Nzb } job)
            return Hopeless("It cannot be repaired: the .nzb that lists its recovery data is no longer kept.");
        var tools = _tools with { Options = _options.Value };
        var parsed = await ParseStep.RunAsync(tools.Blobs, job, cancellationToken);
        if (!parsed.Succeeded)
            return parsed.Failure;
        if (!PostRepair.IsPossible(tools, parsed.Value))
            return Hopeless("Its post has no recovery data.");

        // Noted before any article is restored. Otherwise the restored articles could be deleted as belonging to no file.
        var post = job.Id.ToString(CultureInfo.InvariantCulture);
        await _tree.NotePatchesAsync(job.Id, post, cancellationToken);
        await _ledger.BeginAsync(item, article, cancellationToken);
        LogBegins(_logger, item.Name);
        var repaired = await new PostRepair(tools, progress) { Article = article }.RunAsync(post, parsed.Value, isDamaged: true, cancellationToken);
        if (!repaired.Succeeded)
            return repaired.Failure;
        if (!repaired.Value.HasRecovery)
            return Hopeless("Its post has no recovery data.");
        return repaired.Value.Articles > 0 || _tools.Usenet.IsMade(article) ? null : Hopeless(repaired.Value.Why ?? "The recovery data of its post do not protect the article, or find nothing wrong with it.");
    }

    private static TimeSpan DelayAfter(ImportFailure failure, int delayed)
    {
        var longest = failure.Code == ImportFailure.Unavailable ? LongestDelay : FailedFor;
        return delayed < 10 && DelayedFor * (1 << delayed) is var delay && delay < longest ? delay : longest;
    }

    private static ImportFailure Hopeless(string reason) => new(ImportFailure.Missing, reason);

    /// <summary>How a repair ended, as <see cref="PostMending.End"/> takes it.</summary>
    private readonly record struct Ending(string? Why, DateTimeOffset Until, bool IsPassing = false);
}

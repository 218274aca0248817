using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Progress;
using NzbDav.Usenet;
using NzbDav.Usenet.Providers;

namespace NzbDav.Import.Repair;

/// <summary>
/// Stores repairs in the catalog for the next process: those that began and did not end, and those that failed with the current providers.
/// Thread-safe.
/// </summary>
internal sealed partial class RepairLedger(RepairStore repairs, UsenetClient usenet, TimeProvider time, ILogger logger)
{
    /// <summary>The article for which an unfinished repair of a file was begun; null: there is none.</summary>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<string?> FindUnfinishedAsync(CatalogItem item, CancellationToken cancellationToken) =>
        await repairs.FindAsync(item.Id, cancellationToken) is { Failure: null } stored ? stored.Article : null;

    /// <summary>A stored failure that still counts: it has not expired, and the providers are the same; null: there is none.</summary>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<RepairFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken) =>
        await repairs.FindAsync(item.Id, cancellationToken) is { Failure: { } failure } stored && failure.Until > time.GetUtcNow()
            && stored.Providers == NamesOf(usenet.Providers) ? failure : null;

    /// <summary>Stores that a repair begins.</summary>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public Task BeginAsync(CatalogItem item, string article, CancellationToken cancellationToken) =>
        repairs.SetAsync(item.Id, new StoredRepair(article, Failure: null, NamesOf(usenet.Providers)), cancellationToken);

    /// <summary>
    /// Stores how a repair ended. After a temporary failure, or one caused by the stop of the server, the entry stays as it was stored at
    /// the beginning.
    /// </summary>
    public async Task EndAsync(CatalogItem item, string article, ImportFailure? failure, DateTimeOffset until)
    {
        try
        {
            if (failure is null)
                await repairs.RemoveAsync(item.Id, CancellationToken.None);
            else if (!failure.IsTransient)
                await repairs.SetAsync(item.Id,
                    new StoredRepair(article, new RepairFailure(failure.Message, until), NamesOf(usenet.Providers)),
                    CancellationToken.None);
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            // The next process tries the repair again.
            LogNotStored(logger, item.Name, e.Message);
        }
    }

    /// <summary>A hash that identifies the accounts without revealing them.</summary>
    private static string NamesOf(IEnumerable<Provider> providers) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join(
            '\n', providers.Select(static provider => $"{provider.Options.Host}:{provider.Options.Port}:{provider.Options.Username}")
                .Order(StringComparer.Ordinal)))).AsSpan(0, 16));

    [LoggerMessage(244, LogLevel.Warning, "The result of the repair of {File} could not be stored: {Reason}")]
    private static partial void LogNotStored(ILogger logger, string file, string reason);
}

using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Import.Steps;

/// <summary>
/// Imports a .torrent or a magnet link: determines its files, joins its swarm, and publishes the files. Downloads only the pieces needed
/// for that.
/// </summary>
internal sealed partial class TorrentStep(ImportTools tools)
{
    /// <summary>Reads a .torrent. For a magnet link, asks peers for the metadata (BEP 9), for at most
    /// <see cref="ImportOptions.MetadataTimeout"/>.</summary>
    public async Task<StepResult<DescribedTorrent>> DescribeAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (tools.Torrents is not { } sessions)
            return new ImportFailure(ImportFailure.TorrentsOff, "Torrents are switched off (NzbDav__Torrents__Enabled).");
        if (job.Nzb is not { } hash)
            return new ImportFailure(ImportFailure.MalformedTorrent, "The job has no torrent.");
        var bytes = await tools.Blobs.ReadAsync(hash, cancellationToken);
        if (job.Kind == JobKind.Magnet)
            return await FetchMetadataAsync(job, sessions, Encoding.UTF8.GetString(bytes.Span), cancellationToken);
        var read = Metainfo.Read(bytes.Span);
        if (!read.Succeeded)
            return new ImportFailure(ImportFailure.MalformedTorrent, read.Error);
        if (await ClaimAsync(read.Value.Info.Hash, cancellationToken) is { } elsewhere)
            return elsewhere;

        // Start to look for peers while the files are being published, so that some are connected at the first read.
        using (await sessions.UseAsync(read.Value, cancellationToken))
            return new DescribedTorrent(read.Value, hash);
    }

    /// <summary>Finds the files of the torrent, including those in archives.</summary>
    /// <param name="job">The torrent's job.</param>
    /// <param name="torrent">The torrent.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    public async Task<StepResult<IReadOnlyList<TorrentContentFile>>> LayOutAsync(
        CatalogJob job, DescribedTorrent torrent, CancellationToken cancellationToken)
    {
        if (await ClaimAsync(torrent.Metainfo.Info.Hash, cancellationToken) is { } elsewhere)
            return elsewhere;
        using var lease = await tools.Torrents!.UseAsync(torrent.Metainfo, cancellationToken);
        return await new TorrentLayoutStep(tools.Options, tools.Logger)
            .RunAsync(lease.Torrent, torrent.Metainfo.Info, job.Password, infers: true, cancellationToken);
    }

    /// <summary>Creates all rows in one transaction, as for any other job.</summary>
    public async Task PublishAsync(CatalogJob job, DescribedTorrent torrent, IReadOnlyList<TorrentContentFile> files,
        IReadOnlyList<StepTiming> timings, CancellationToken cancellationToken)
    {
        var started = tools.Time.GetTimestamp();
        var info = torrent.Metainfo.Info;
        var hash = info.Hash.ToString();
        var published = files.Select(file => new PublishedFile
        {
            Path = file.Path,
            Size = file.Size,
            ExtentMap = torrent.Blob,
            Torrent = new TorrentPart(hash, file.Index),
            Layout = file.Layout,
            Encryption = file.Encryption,
            Modified = file.Modified,
        }).ToArray();

        // The job of a link without a name was named after the info-hash until now.
        var name = job.Name == hash ? SafeName.Of(Passwords.FromName(info.Name).Name) : null;
        timings = [.. timings, new StepTiming("publish", tools.Time.GetElapsedTime(started))];
        var publication = FinalNames.MakeInert(new JobPublication { Name = name, Files = published, Timings = timings });
        if (await tools.Jobs.PublishAsync(job, publication, cancellationToken) is { } item)
            LogPublished(tools.Logger, job.Name, job.Category, item.Name, published.Length, info.Length, hash);
    }

    private async Task<StepResult<DescribedTorrent>> FetchMetadataAsync(
        CatalogJob job, TorrentSessions sessions, string link, CancellationToken cancellationToken)
    {
        var read = MagnetLink.Read(link);
        if (!read.Succeeded)
            return new ImportFailure(ImportFailure.MalformedTorrent, read.Error);
        if (await ClaimAsync(read.Value.Hash, cancellationToken) is { } elsewhere)
            return elsewhere;
        using var lease = await sessions.UseAsync(read.Value, cancellationToken);
        using var timeout = new CancellationTokenSource(tools.Options.MetadataTimeout, tools.Time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        TorrentInfo info;
        try
        {
            info = await lease.Torrent.DescribeAsync(both.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // While this gateway cannot send, missing answers say nothing about the torrent.
            return sessions.Engine.GetNetwork().Trouble is { } trouble
                ? new ImportFailure(
                    ImportFailure.NoMetadata,
                    $"Peers cannot be asked for the metadata of the torrent {read.Value.Hash}: {trouble}.",
                    IsTransient: true)
                : timeout.IsCancellationRequested
                ? Silent(read.Value, lease.Torrent)
                : new ImportFailure(ImportFailure.NoMetadata, "The torrent was closed while its peers were asked.", IsTransient: true);
        }

        var metainfo = new Metainfo(info, [.. read.Value.Trackers.Select(static uri => (IReadOnlyList<Uri>)[uri])], read.Value.Peers)
        {
            WebSeeds = lease.Torrent.ListWebSeeds(),
        };
        if (read.Value.IsSelectionUnreadable)
            LogUnreadable(tools.Logger, job.Name);
        else if (read.Value.Selection is { } selection && selection.Select(info.Files) is null)
            LogNoneSelected(tools.Logger, job.Name);
        var blob = await tools.Blobs.PutAsync(metainfo.Write(), cancellationToken);
        return new DescribedTorrent(metainfo, blob.Hash);
    }

    /// <summary>
    /// Makes this gateway the owner of a torrent. Not null: another gateway is the owner, and its own queue may take the job.
    /// </summary>
    private async ValueTask<ImportFailure?> ClaimAsync(InfoHash hash, CancellationToken cancellationToken) =>
        tools.Owners is { } owners && await owners.ClaimAsync(hash.ToString(), cancellationToken) is { } other
            ? new ImportFailure(
                ImportFailure.TorrentElsewhere,
                $"Another gateway has this torrent{(other.Address.Length > 0 ? $" ({other.Address})" : "")}. The job waits until that " +
                $"gateway takes it.", IsTransient: true)
            : null;

    private ImportFailure Silent(MagnetLink link, Torrent torrent)
    {
        var waited = DurationText.Of(tools.Options.MetadataTimeout);
        var peers = torrent.GetStatus().Peers;
        var known = link.Trackers.Count + link.Peers.Count == 0 ? " The link names neither a tracker nor a peer." : "";
        return new ImportFailure(ImportFailure.NoMetadata, string.Create(
            CultureInfo.InvariantCulture,
            $"No peer sent the metadata of the torrent {link.Hash} within {waited}; {peers} connected, {link.Trackers.Count} trackers in " +
            $"the link.{known} Use its .torrent, or try again later."));
    }

    [LoggerMessage(
        224,
        LogLevel.Warning,
        "The magnet link of {Job} has a list of files (so) that cannot be read. It is ignored: all files are selected.")]
    private static partial void LogUnreadable(ILogger logger, string job);

    [LoggerMessage(
        225,
        LogLevel.Warning,
        "The magnet link of {Job} selects files (so) that the torrent does not have. They are ignored: all files are selected.")]
    private static partial void LogNoneSelected(ILogger logger, string job);

    [LoggerMessage(223, LogLevel.Information,
        "Published torrent {Job} as /content/{Category}/{Item}: {Files} files, {Bytes} bytes, info-hash {Hash}.")]
    private static partial void LogPublished(ILogger logger, string job, string category, string item, int files, long bytes, string hash);
}

/// <summary>A torrent whose metadata are known.</summary>
/// <param name="Metainfo">Its files, and where to find peers.</param>
/// <param name="Blob">Its .torrent in the blob store.</param>
internal sealed record DescribedTorrent(Metainfo Metainfo, BlobHash Blob);

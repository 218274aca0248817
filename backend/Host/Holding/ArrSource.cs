using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Library;
using NzbDav.Catalog.Links;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>The files of an *arr, as a library.</summary>
internal sealed class ArrSource(ArrInstance instance) : ILibrarySource
{
    public string Name => instance.Settings.Name;

    public string? Folder => null;

    public string Prefix => Name + ": ";

    public string? Category => instance.Settings.Category;

    public async Task<SourceReading> ReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            var read = await instance.Library.ReadAsync(cancellationToken);
            if (!read.Succeeded)
                return new([], $"{Name} cannot be read: {read.Error.Message}");
            return new([.. read.Value.Links.Select(link => new FoundLink(Prefix + link.Path, link.Target))],
                read.Value.Unseen is { } unseen ? $"{Name}: {unseen}." : null);
        }
        catch (ObjectDisposedException)
        {
            return new([], $"The settings of {Name} have changed.");
        }
    }

    public async Task<ImportAnswer> FindImportAsync(AbandonedJob job, CancellationToken cancellationToken)
    {
        if (IdOf(job) is not { } id)
            return ImportAnswer.NotApplicable;
        try
        {
            var (state, error) = await instance.Library.FindAsync(id, $"{job.Category}/{job.Name}", job.Published, cancellationToken);
            return error is not null ? ImportAnswer.Unknown : state switch
            {
                ArrDownload.Imported => ImportAnswer.Imported,
                ArrDownload.Grabbed => ImportAnswer.Never,
                _ => ImportAnswer.NotApplicable,
            };
        }
        catch (ObjectDisposedException)
        {
            return ImportAnswer.Unknown;
        }
    }

    /// <summary>
    /// The id under which the *arr knows a job; null if the job does not concern it. All *arrs are asked about a torrent, as they have
    /// their own category for torrents: one that did not send it does not know the info-hash.
    /// </summary>
    private string? IdOf(AbandonedJob job)
    {
        if (job.InfoHash is { } hash)
            return DownloadIds.OfTorrent(hash);
        if (!instance.Settings.Category.Equals(job.Category, StringComparison.OrdinalIgnoreCase))
            return null;
        return job.DownloadId ?? (job.JobId is { } id ? NzoId.Of(id) : null);
    }
}

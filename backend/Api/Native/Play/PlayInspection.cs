using NzbDav.Api.Native.Jobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Torrents.Metadata;
using NzbDav.WebDav.Store;

namespace NzbDav.Api.Native.Play;

/// <summary>Tells what an order would give, without adding it. Thread-safe.</summary>
internal sealed class PlayInspection(PlayRequests requests, JobIntake intake, ImportPreview preview, Live<ImportOptions> options)
{
    /// <summary>
    /// Tells what an import would give. That a link leads to what cannot be played is remembered, so that it is not fetched again.
    /// </summary>
    public async Task<InspectionBody> InspectAsync(PlayOrder order, CancellationToken cancellationToken)
    {
        var found = await LookAsync(order, cancellationToken);
        if (found is { Failure: { } failure, MayBeRepaired: false })
            requests.Remember(order, new PlayFailure(failure.Code, failure.Error, failure.MayPass));
        return found;
    }

    private async Task<InspectionBody> LookAsync(PlayOrder order, CancellationToken cancellationToken)
    {
        var (fetched, failure) = await requests.FetchAsync(order, cancellationToken);
        if (failure is not null)
            return InspectionBody.Of(null, order.Name, failure);
        if (fetched is not null)
        {
            await using (fetched.File)
                return await LookAsync(fetched, cancellationToken);
        }

        if (order.Link is { } link)
            return OfMagnet(link, order.Name);
        var file = order.File!;
        if (file is { IsTooLarge: false } && (TorrentIntake.Accepts(order.Name) || TorrentIntake.IsTorrent(file)))
        {
            return await TorrentIntake.ReadMagnetAsync(file, cancellationToken) is { } magnet
                ? OfMagnet(magnet, order.Name) : await OfTorrentAsync(file, order.Name, cancellationToken);
        }

        var category = order.Category ?? PlayRequests.Category;
        if (await intake.RequestAsync(category, JobPriority.Force, order.Password, paused: false, cancellationToken) is not { } request)
            return InspectionBody.Of(JobKind.Nzb, order.Name, PlayFailure.OfCategory(category));
        var post = await preview.ReadAsync(request with { FileName = order.Name, Title = order.Title }, file, cancellationToken);
        return new InspectionBody(
            JobKind.Nzb, post.Name, post.Bytes, InfoHash: null,
            [.. post.Files.Select(static one => InspectedFileBody.Of(one.Path, one.Size, one.IsArchived, one.IsEncrypted))],
            post.Failure is { } why ? PlayFailureBody.Of(new PlayFailure(why.Code, why.Message, why.IsTransient)) : null,
            post.MayBeRepaired);
    }

    private PlayFailureBody? Refused => options.Value.Torrents ? null
        : PlayFailureBody.Of(
            new PlayFailure(ImportFailure.TorrentsOff, "Torrents are switched off (NzbDav__Torrents__Enabled).", MayPass: true));

    private InspectionBody OfMagnet(string link, string name)
    {
        var read = MagnetLink.Read(link);
        return read.Succeeded
            ? new InspectionBody(
                JobKind.Magnet, read.Value.Name ?? name, null, read.Value.Hash.ToString(), [], Refused, MayBeRepaired: false)
            : InspectionBody.Of(JobKind.Magnet, name, new PlayFailure(ImportFailure.MalformedTorrent, read.Error, MayPass: false));
    }

    private async Task<InspectionBody> OfTorrentAsync(IntakeFile file, string name, CancellationToken cancellationToken)
    {
        var (metainfo, error) = await TorrentIntake.ReadAsync(file, cancellationToken);
        return metainfo is { Info: var info }
            ? new InspectionBody(JobKind.Torrent, info.Name, info.Length, info.Hash.ToString(),
                [.. info.Files.Where(static one => !one.IsPadding).Select(
                    static one => InspectedFileBody.Of(one.Path, one.Length, archived: false, encrypted: false))],
                Refused, MayBeRepaired: false)
            : InspectionBody.Of(JobKind.Torrent, name, new PlayFailure(ImportFailure.MalformedTorrent, error!, MayPass: false));
    }
}

/// <summary>What an import would give.</summary>
/// <param name="Kind">What was sent; null if that is not known.</param>
/// <param name="Name">The name of the job.</param>
/// <param name="Size">Bytes of the post or torrent; null: not known yet, as of a magnet link.</param>
/// <param name="InfoHash">Of a torrent: 40 lower-case hexadecimal digits; null for a post.</param>
/// <param name="Files">The files that would be published. Those of a magnet link are not known, and archives in a torrent are not
/// opened.</param>
/// <param name="Failure">Why the import would fail; null: it would not.</param>
/// <param name="MayBeRepaired">True if recovery data in the post may restore what is missing. The import tries that.</param>
internal sealed record InspectionBody(
    JobKind? Kind, string Name, long? Size, string? InfoHash, IReadOnlyList<InspectedFileBody> Files, PlayFailureBody? Failure,
    bool MayBeRepaired)
{
    public static InspectionBody Of(JobKind? kind, string name, PlayFailure failure) =>
        new(kind, name, null, null, [], PlayFailureBody.Of(failure), MayBeRepaired: false);
}

/// <summary>A file that would be published.</summary>
/// <param name="Path">Its path below the job's folder, not encoded.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="ContentType">Media type by its name.</param>
/// <param name="Playable">True if its type is video or audio.</param>
/// <param name="Archived">True if it lies in an archive.</param>
/// <param name="Encrypted">True if it is decrypted while it is read.</param>
internal sealed record InspectedFileBody(string Path, long Size, string? ContentType, bool Playable, bool Archived, bool Encrypted)
{
    public static InspectedFileBody Of(string path, long size, bool archived, bool encrypted)
    {
        var type = MediaTypes.FromName(path);
        return new(path, size, type, Files.FileFinder.IsPlayable(type), archived, encrypted);
    }
}

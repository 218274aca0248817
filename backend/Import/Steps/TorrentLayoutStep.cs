using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Archives;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import.Steps;

/// <summary>
/// Finds the archives and disc images among the files of a torrent, and the layouts of the files inside. Downloads the pieces that hold
/// their headers; downloads nothing if no file is named like an archive. Returns every file except padding and those that the blocklist
/// hides, with safe and distinct names.
/// </summary>
internal sealed partial class TorrentLayoutStep(ImportOptions options, ILogger logger)
{
    /// <summary>Most archives of one torrent that are read. A collection of thousands is published as it is.</summary>
    private const int MostArchives = 200;

    /// <param name="torrent">The open torrent.</param>
    /// <param name="info">Its files.</param>
    /// <param name="password">The password given with the job; null: none.</param>
    /// <param name="infers">False: the headers of all volumes are read, and none are inferred.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>Fails only for a temporary reason: no peer has the pieces of the headers. Archives that cannot be read are published as
    /// they are.</returns>
    public async Task<StepResult<IReadOnlyList<TorrentContentFile>>> RunAsync(
        Torrent torrent, TorrentInfo info, string? password, bool infers, CancellationToken cancellationToken)
    {
        var plain = Plain(info);
        var passwords = Passwords.Of(password, info, options);
        var inside = new List<TorrentContentFile>();
        var replaced = new HashSet<int>();
        TorrentContentFile[][] folders =
        [
            .. plain.Where(static file => MayBeArchive(file.Path[^1])).GroupBy(
                static file => string.Join('/', file.Path.SkipLast(1)), StringComparer.Ordinal).Select(static folder => folder.ToArray()),
        ];
        if (folders.Sum(CountArchives) is > MostArchives and var count)
        {
            LogMany(logger, count, MostArchives);
            folders = [];
        }

        foreach (var volumes in folders)
        {
            if (await TryReadAsync(torrent, info, volumes, passwords, infers, inside, replaced, cancellationToken) is { } failure)
                return failure;
        }

        var files = plain.Where(file => !replaced.Contains(file.Index)).Concat(inside).ToArray();
        return Named(
            Array.ConvertAll(files, file => file.Layout is { } layout ? file with { Layout = layout with { Password = password } } : file));
    }

    /// <summary>The torrent's own files.</summary>
    private static TorrentContentFile[] Plain(TorrentInfo info)
    {
        var files = new List<TorrentContentFile>();
        foreach (var (index, file) in info.Files.Index())
        {
            if (file.IsPadding)
                continue;
            var path = SafeName.PathOf(file.Path);
            if (path.Count == 0)
                path = [string.Create(CultureInfo.InvariantCulture, $"file {index + 1}")];
            files.Add(new TorrentContentFile(path, index, file.Length));
        }

        return [.. files];
    }

    private TorrentContentFile[] Named(TorrentContentFile[] files)
    {
        var biggest = files.MaxBy(static file => file.Size);
        files = [.. files.Where(file => ReferenceEquals(file, biggest) || !NamePattern.Any(options.Blocklist, file.Path[^1]))];
        return [.. FinalNames.Distinct([.. files.Select(static file => file.Path)])
            .Zip(files, static (path, file) => file with { Path = path })];
    }

    /// <summary>Decides by the name, because reading costs a piece: archives and disc images of the kinds that can be read.</summary>
    private static bool MayBeArchive(string name) => FileExtension.TypeOf(name) switch
    {
        FileType.Archive =>
            FileExtension.Of(name).ToLowerInvariant() is not (".zip" or ".tar" or ".gz" or ".bz2" or ".xz" or ".zst" or ".arj" or ".ace"),
        FileType.Disc => FileExtension.Of(name).ToLowerInvariant() is ".iso" or ".img" or ".udf",
        _ => false,
    };

    /// <summary>The number of archives. A regular set of volumes counts once.</summary>
    private static int CountArchives(TorrentContentFile[] volumes)
    {
        var sets = VolumeSeries.Find(Array.ConvertAll(volumes, static volume => volume.Path[^1]));
        return volumes.Length - sets.Sum(static set => set.Count - 1);
    }

    /// <summary>Reads the archives of one folder. Returns the failure if peers lack the pieces.</summary>
    private async Task<ImportFailure?> TryReadAsync(
        Torrent torrent, TorrentInfo info, TorrentContentFile[] volumes, IReadOnlyList<string> passwords, bool infers,
        List<TorrentContentFile> inside, HashSet<int> replaced, CancellationToken cancellationToken)
    {
        var files = Array.ConvertAll(volumes, volume => info.Files[volume.Index]);
        var archives = volumes.Zip(files, (volume, file) => new ArchiveVolume(torrent.Open(file), volume.Path[^1])).ToArray();
        var sets = infers ? RegularSet.Find([.. archives.Select(static volume => (volume.Name, volume.Content.Length))]) : [];
        var scan = await ArchiveReader.ReadAsync(archives, new ArchiveOptions
        {
            Passwords = [.. passwords],
            RegularSets = [.. sets.Select(static set => set.Members)]
        }, cancellationToken);
        if (scan.Unreadable.FirstOrDefault(static file => file.Fault is ContentFault.Unavailable or ContentFault.Missing) is { } silent)
            return Silent(volumes[silent.Volume], silent.Text);
        if (scan.Layouts.FirstOrDefault(
            static layout => layout.Refusal?.Reason is ArchiveRefusalReason.Unavailable or ArchiveRefusalReason.Unreadable) is { } unread)
            return Silent(volumes[unread.Volumes[0]], unread.Refusal!.Text);

        // Inner archives were found by reading through inferred volumes.
        if (infers && scan.Layouts.Any(
            static layout => layout is { Expected.Count: > 0 } && (layout.Refusal is not null || !layout.Nested.IsEmpty)))
            return await TryReadAsync(torrent, info, volumes, passwords, infers: false, inside, replaced, cancellationToken);
        foreach (var layout in scan.Layouts)
        {
            var first = volumes[layout.Volumes[0]];
            if (layout.Refusal is { } refusal)
            {
                LogLeftOut(logger, refusal.Text);
                continue;
            }

            try
            {
                var taken = CollectFiles(layout, files, first);
                inside.AddRange(taken);
                if (!IsDisc(layout.Format) && layout.Entries.All(static entry => entry.Refusal is null))
                    replaced.UnionWith(layout.Volumes.Select(volume => volumes[volume].Index));
                LogArchive(logger, first.Path[^1], layout.Format, layout.Volumes.Length, taken.Count);
            }
            catch (InvalidDataException e)
            {
                LogLeftOut(logger, e.Message);
            }
        }

        return null;
    }

    private List<TorrentContentFile> CollectFiles(ArchiveLayout layout, TorrentFile[] files, TorrentContentFile first)
    {
        var taken = new List<TorrentContentFile>();
        var folder = first.Path.SkipLast(1);
        var name = first.Path[^1];
        var stem = Path.GetFileNameWithoutExtension(name) is { Length: > 0 } found ? found : name;
        foreach (var entry in layout.Flatten().Where(static entry => !entry.IsDirectory))
        {
            if (entry.Refusal is { } refusal)
            {
                LogLeftOut(logger, refusal.Text);
                continue;
            }

            var path = SafeName.PathOf(entry.Path);
            if (path.Count == 0)
                path = [stem];
            if (IsDisc(layout.Format))
                path = [stem, .. path];
            var (where, encryption) = new TorrentSpans(files, layout.Expected).Run(entry);
            taken.Add(new TorrentContentFile([.. folder, .. path], first.Index, entry.Size)
            {
                Layout = where,
                Encryption = encryption,
                Modified = entry.Modified > DateTimeOffset.UnixEpoch ? entry.Modified : null,
            });
        }

        return taken;
    }

    private static bool IsDisc(ArchiveFormat format) => format is ArchiveFormat.Iso9660 or ArchiveFormat.Udf;

    private static ImportFailure Silent(TorrentContentFile volume, string why) =>
        new(ImportFailure.Unavailable, $"What is inside '{volume.Path[^1]}' cannot be read yet: {why}", IsTransient: true);

    [LoggerMessage(
        217, LogLevel.Debug, "{File} of a torrent is the first volume of a {Format} archive of {Volumes} volumes with {Files} files.")]
    private static partial void LogArchive(ILogger logger, string file, ArchiveFormat format, int volumes, int files);

    [LoggerMessage(
        219, LogLevel.Warning, "The torrent holds {Archives} archives, more than the {Most} that are read: they are shown as they are.")]
    private static partial void LogMany(ILogger logger, int archives, int most);

    [LoggerMessage(218, LogLevel.Warning, "Left as it is in the torrent: {Reason}")]
    private static partial void LogLeftOut(ILogger logger, string reason);
}

/// <summary>A file of a torrent as it will be published: a file of the torrent itself, or one inside an archive.</summary>
/// <param name="Path">Folders and name, all made safe.</param>
/// <param name="Index">Its index in the torrent; for a file in an archive, the index of the first volume.</param>
/// <param name="Size">Size in bytes as readers see it, after decryption.</param>
internal sealed record TorrentContentFile(IReadOnlyList<string> Path, int Index, long Size)
{
    /// <summary>Where it lies inside its archive; null: it is a file of the torrent itself.</summary>
    public TorrentLayout? Layout { get; init; }

    /// <summary>How to decrypt the bytes of the layout; null: they are the file's bytes.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>When it was modified, according to its archive; null if unknown.</summary>
    public DateTimeOffset? Modified { get; init; }
}

using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Archives;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>
/// Finds the archives among the posted files and builds one flat extent map for each file inside; files that are in no archive stay as they
/// are. Decides which refused archives fail the job and which only lose a minor file.
/// </summary>
internal sealed partial class LayoutStep(ImportTools tools, Action<int>? progress = null)
{
    /// <summary>Most files inside archives whose first bytes are read because their names do not show their type.</summary>
    private const int MostSniffed = 32;

    /// <param name="job">The job's name.</param>
    /// <param name="post">The posted files.</param>
    /// <param name="passwords">Passwords to try, in order.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    public async Task<StepResult<IReadOnlyList<ContentFile>>> RunAsync(
        string job, NamedPost post, IReadOnlyList<string> passwords, CancellationToken cancellationToken)
    {
        var files = post.Files;
        var volumes = new ArchiveVolume[files.Count];
        var learned = files.ToArray();
        for (var i = 0; i < volumes.Length; i++)
        {
            // Reading the headers may correct the offsets of articles. The files inside get the corrected maps.
            var index = i;
            var opened = tools.Usenet.Open(
                files[i].File.Map, map => learned[index] = learned[index] with { File = learned[index].File with { Map = map } });
            volumes[i] = new ArchiveVolume(opened, files[i].Name)
            {
                Head = files[i].File.Head,
                IsInferred = files[i].File.Inferred is not null,
                Place = files[i].File.Posted.SubjectParts.File,
                Posted = Dated(files[i].File.Posted.Date),
            };
        }

        var reported = -1;
        var options = new ArchiveOptions
        {
            Passwords = [.. passwords],
            RegularSets = RegularSets(files),
            MostChecked = tools.Options.MostChecked,
            Checked = (read, total) =>
            {
                var done = (int)(read * 1000 / total);
                if (Interlocked.Exchange(ref reported, done) != done)
                    progress?.Invoke(done);
            },
        };
        var scan = await ArchiveReader.ReadAsync(volumes, options, cancellationToken);
        if (scan.Unreadable.FirstOrDefault(file => file.Fault == ContentFault.Unavailable) is { } silent)
            return ImportFailure.OfArticles(ImportFailure.Unavailable, files[silent.Volume].Name, silent.Text);
        if (IsDoubtful(scan, files, learned))
            return ImportFailure.DoubtfulLayout;
        files = learned;
        AddHeaders(scan, learned);
        var plain = Enumerable.Range(0, files.Count).ToHashSet();
        var content = new List<ContentFile>();
        var refused = new List<(long Size, ImportFailure Failure)>();
        var torn = new HashSet<int>();
        foreach (var layout in scan.Layouts)
        {
            if ((layout.Refusal ?? TornFiles.Refuse(layout, post)) is { } refusal)
            {
                // If the job is published in spite of this, the volumes themselves stay visible.
                Refuse(layout.Format, refusal, layout.Volumes.Sum(volume => files[volume].File.Length), refused);
                if (layout.Format == ArchiveFormat.Split)
                    torn.UnionWith(layout.Volumes);
                continue;
            }

            // If some file inside cannot be served, the volumes stay visible as they were posted.
            if (!IsDisc(layout.Format) && layout.Entries.All(entry => entry.Refusal is null))
                plain.ExceptWith(layout.Volumes);
            try
            {
                var taken = await SniffAsync(CollectFiles(layout, files, refused), volumes, options.Pool, cancellationToken);
                content.AddRange(await new InnerNames(tools, Array.ConvertAll(volumes, volume => volume.Content), options.Pool)
                    .RunAsync(taken, cancellationToken));
            }
            catch (InvalidDataException e)
            {
                Refuse(layout.Format, new ArchiveRefusal(ArchiveRefusalReason.Damaged, e.Message),
                    layout.Volumes.Sum(volume => files[volume].File.Length), refused);
            }
        }

        foreach (var index in plain.Except(torn).Order().ToArray())
        {
            if (TornFiles.Refuse(files[index].Name, post) is not { } refusal)
                continue;
            Refuse(ArchiveFormat.Split, refusal, files[index].File.Length, refused);
            torn.Add(index);
        }

        // The first part of an incomplete split file must not look like the whole file: its number stays its extension.
        content.AddRange(plain.Order().Select(
            index => Plain(files[index], scan.Kinds[index]) is var file && torn.Contains(index) ? file with { Extension = "" } : file));
        if (Decisive(refused, content) is { } failure)
            return failure;
        return content.Count > 0
            ? new StepResult<IReadOnlyList<ContentFile>>(FinalNames.Run(job, content), Failure: null)
            : new ImportFailure(ImportFailure.BadArchive, "This post has no files: its archives are empty.");
    }

    /// <summary>The sets that have inferred volumes, each in the order of its volumes.</summary>
    private static IReadOnlyList<int>[] RegularSets(IReadOnlyList<NamedFile> files) =>
    [
        .. Enumerable.Range(0, files.Count).Where(index => files[index].File.Set is not null).GroupBy(index => files[index].File.Set)
            .Where(set => set.Any(index => files[index].File.Inferred is not null))
            .Select(set => set.OrderBy(index => files[index].File.SetPlace).ToArray()),
    ];

    /// <summary>
    /// Adds the inferred headers to the data that readers have to verify. A volume may have been fetched, with only its headers inferred.
    /// </summary>
    private static void AddHeaders(ArchiveScan scan, NamedFile[] files)
    {
        foreach (var (volume, header) in scan.Layouts.SelectMany(layout => layout.Expected))
        {
            var file = files[volume].File;
            files[volume] = files[volume]
                with
            { File = file with { Inferred = (file.Inferred ?? file.ToInferred()) with { Header = header } } };
        }
    }

    /// <summary>
    /// True if an inferred volume is not part of an archive that can be served and checked: its headers have to be read then. The same
    /// holds for an archive that contains other archives, because these were found by reading through inferred volumes.
    /// </summary>
    private static bool IsDoubtful(ArchiveScan scan, IReadOnlyList<NamedFile> files, NamedFile[] learned)
    {
        var sound = new HashSet<int>();
        foreach (var layout in scan.Layouts)
        {
            if (layout is { Refusal: null, Nested.IsEmpty: true } && layout.Entries.All(entry => entry.Refusal is null))
                sound.UnionWith(layout.Format is ArchiveFormat.SevenZip or ArchiveFormat.Split ? layout.Volumes : layout.Expected.Keys);
        }

        return Enumerable.Range(0, files.Count).Any(
            index => files[index].File.Inferred is not null && (!sound.Contains(index) || !ReferenceEquals(learned[index], files[index])));
    }

    private static bool IsDisc(ArchiveFormat format) => format is ArchiveFormat.Iso9660 or ArchiveFormat.Udf;

    /// <summary>A posted file as it is. The files inside a disc image are published in a folder beside it.</summary>
    private static ContentFile Plain(NamedFile file, FileKind kind)
    {
        var posted = file.File.Posted.Date;

        // The descriptors of a disc image lie behind the bytes that were probed.
        var (type, extension) = kind is FileKind.Iso9660 or FileKind.Udf ? (FileType.Disc, ".iso") : file.Signature;
        return new ContentFile(file.Path, file.File.Map, file.File.Length)
        {
            Modified = posted > DateTimeOffset.UnixEpoch ? posted : null,
            Type = FileExtension.Resolve(file.Name, type),
            Extension = extension,
            Verified = file.File.Verified,
        };
    }

    /// <summary>The files in an archive and in the archives inside it.</summary>
    private List<(ContentFile File, ArchiveEntry Entry)> CollectFiles(
        ArchiveLayout layout, IReadOnlyList<NamedFile> files, List<(long Size, ImportFailure Failure)> refused)
    {
        var first = files[layout.Volumes[0]];
        var taken = new List<(ContentFile File, ArchiveEntry Entry)>();
        RefuseNested(layout, refused);
        foreach (var entry in layout.Flatten().Where(entry => !entry.IsDirectory))
        {
            if (entry.Refusal is { } refusal)
            {
                Refuse(layout.Format, refusal, entry.Size, refused);
                continue;
            }

            var path = SafeName.PathOf(entry.Path);
            if (path.Count == 0)
                path = [Path.GetFileNameWithoutExtension(first.Name) is { Length: > 0 } stem ? stem : first.Name];
            if (IsDisc(layout.Format))
                path = [FolderOf(first.Name), .. path];
            var mapper = new SpanMapper(files);
            var (map, encryption) = mapper.Run(entry);
            var file = new ContentFile(path, map, entry.Size)
            {
                Encryption = encryption,
                Inferred = mapper.Inferred,
                Modified = Dated(entry.Modified) ?? Dated(first.File.Posted.Date),
                Type = FileExtension.TypeOf(path[^1]),
                Verified = layout.Volumes.All(volume => files[volume].File.Verified),
                Archive = VolumeSeries.SetName(first.Name),
            };
            taken.Add((file, entry));
        }

        LogArchive(tools.Logger, first.Name, layout.Format, layout.Volumes.Length, taken.Count);
        return taken;
    }

    /// <summary>The folder for the files of a disc image: it lies beside the image and has its name without the extension.</summary>
    private static string FolderOf(string image) =>
        FileExtension.IsUsual(image) && Path.GetFileNameWithoutExtension(image) is { Length: > 0 } stem ? stem : image;

    /// <summary>
    /// Inner archives that cannot be read are published as their volumes, but the files that they contain still count as refused.
    /// </summary>
    private void RefuseNested(ArchiveLayout layout, List<(long Size, ImportFailure Failure)> refused)
    {
        foreach (var nested in layout.Nested)
        {
            if (nested.Refusal is { } refusal)
                Refuse(nested.Format, refusal, nested.Volumes.Sum(volume => layout.Entries[volume].Size), refused);
            else
                RefuseNested(nested, refused);
        }
    }

    /// <summary>
    /// Records a refused archive. A disc image is only logged: players open the image itself, so nothing is lost if the files inside cannot
    /// be shown.
    /// </summary>
    private void Refuse(ArchiveFormat format, ArchiveRefusal refusal, long size, List<(long Size, ImportFailure Failure)> refused)
    {
        if (IsDisc(format) && refusal.Reason != ArchiveRefusalReason.Unavailable)
            LogLeftOut(tools.Logger, refusal.Text);
        else
            refused.Add((size, FailureOf(refusal)));
    }

    private static DateTimeOffset? Dated(DateTimeOffset? date) => date > DateTimeOffset.UnixEpoch ? date : null;

    /// <summary>
    /// Determines the types of files inside archives by their first bytes, because names are obfuscated there too. Reads the biggest files
    /// without a meaningful extension, and those with the extension of an archive or a disc image, which may disguise films.
    /// </summary>
    private async Task<List<(ContentFile File, ArchiveEntry Entry)>> SniffAsync(
        List<(ContentFile File, ArchiveEntry Entry)> taken, ArchiveVolume[] volumes, BufferPool pool, CancellationToken cancellationToken)
    {
        var files = taken.ConvertAll(one => one.File);
        var unknown = Enumerable.Range(0, files.Count)
            .Where(index => files[index] is { Type: FileType.Unknown or FileType.Archive or FileType.Disc, Size: > 0 });
        foreach (var index in unknown.OrderByDescending(index => files[index].Size).Take(MostSniffed).ToArray())
        {
            try
            {
                var content = ArchiveContent.Open(taken[index].Entry, Array.ConvertAll(volumes, volume => volume.Content), pool);
                var count = (int)Math.Min(content.Length, ArchiveSignature.ShortLength);
                var (type, extension) = FileSignature.Of(
                    await ContentBytes.ReadAsync(content, 0, count, ReadIntent.Import, cancellationToken));
                if (type != FileType.Unknown)
                    files[index] = files[index] with { Type = type, Extension = extension };
            }
            catch (ContentException e)
            {
                LogUnread(tools.Logger, files[index].Name, e.Message);
            }
        }

        return [.. files.Zip(taken, (file, one) => (file, one.Entry))];
    }

    /// <summary>
    /// The refusal that fails the job: a temporary one, or that of something at least as big as the biggest file that can be served.
    /// Archives and recovery data do not count as served. Other refusals only lose a file and are logged.
    /// </summary>
    private ImportFailure? Decisive(List<(long Size, ImportFailure Failure)> refused, List<ContentFile> content)
    {
        if (refused.Count == 0)
            return null;
        if (refused.Find(one => one.Failure.IsTransient).Failure is { } transient)
            return transient;
        var served = content.Where(file => file.Type is not (FileType.Archive or FileType.Recovery)).Select(file => file.Size)
            .DefaultIfEmpty(0).Max();
        var (size, failure) = refused.MaxBy(one => one.Size);
        if (size >= served)
            return failure;
        foreach (var (_, left) in refused)
            LogLeftOut(tools.Logger, left.Message);
        return null;
    }

    private static ImportFailure FailureOf(ArchiveRefusal refusal) => refusal.Reason switch
    {
        ArchiveRefusalReason.Compressed => new ImportFailure(ImportFailure.Compressed, refusal.Text),
        ArchiveRefusalReason.Encrypted => new ImportFailure(ImportFailure.Encrypted, refusal.Text),
        ArchiveRefusalReason.MissingVolumes => new ImportFailure(ImportFailure.MissingVolumes, refusal.Text),
        ArchiveRefusalReason.Unreadable => new ImportFailure(ImportFailure.Missing, refusal.Text),
        ArchiveRefusalReason.Unavailable => new ImportFailure(ImportFailure.Unavailable, refusal.Text, IsTransient: true),
        _ => new ImportFailure(ImportFailure.BadArchive, refusal.Text),
    };

    [LoggerMessage(203, LogLevel.Debug, "{File} is the first volume of a {Format} archive of {Volumes} volumes with {Files} files.")]
    private static partial void LogArchive(ILogger logger, string file, ArchiveFormat format, int volumes, int files);

    [LoggerMessage(204, LogLevel.Warning, "Left out: {Reason}")]
    private static partial void LogLeftOut(ILogger logger, string reason);

    [LoggerMessage(205, LogLevel.Warning, "The type of {File} could not be determined: {Reason}")]
    private static partial void LogUnread(ILogger logger, string file, string reason);
}

/// <summary>Detects missing parts of split files. The parts do not state how many there are; other files of the post may.</summary>
internal static class TornFiles
{
    /// <summary>Why a split file is incomplete; null if nothing shows that it is.</summary>
    public static ArchiveRefusal? Refuse(ArchiveLayout layout, NamedPost post) =>
        layout.Format != ArchiveFormat.Split
            ? null : Refuse(post.Files[layout.Volumes[0]].Name, post) ?? (layout.IsWhole ? null : RefuseByCount(layout, post));

    /// <summary>Why a part is not the whole file: recovery data describe another part. Null if nothing shows that.</summary>
    public static ArchiveRefusal? Refuse(string part, NamedPost post) =>
        post.Absent.FirstOrDefault(name => VolumeSeries.ArePartsOfOne(part, name[(name.LastIndexOf('/') + 1)..])) is { } absent
            ? new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"'{absent}' is missing: the recovery data of the post describe it.")
            : null;

    /// <summary>
    /// Refuses a file whose last part is as long as the others, and so is probably not the last, if the subjects also count one file more
    /// that is not in the .nzb.
    /// </summary>
    private static ArchiveRefusal? RefuseByCount(ArchiveLayout layout, NamedPost post)
    {
        var parts = layout.Volumes.Select(volume => post.Files[volume].File).ToArray();
        var counts = parts.Select(part => part.Posted.SubjectParts).ToArray();
        if (parts.Any(part => part.Length != parts[0].Length)
            || counts.Any(count => count.File is null || count.FileCount is null || count.FileCount != counts[0].FileCount))
            return null;
        var (next, all) = (counts.Max(count => count.File!.Value) + 1, counts[0].FileCount!.Value);
        return next <= all && !post.Counted.Contains((next, all))
            ? new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, string.Create(
                CultureInfo.InvariantCulture,
                $"'{layout.Entries[0].Path}' is not all there: its parts are all of one size, and of the {all} files that the subjects " +
                $"count number {next} is not in the .nzb."))
            : null;
    }
}

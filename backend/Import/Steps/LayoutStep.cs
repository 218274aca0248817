using Microsoft.Extensions.Logging;
using NzbDav.Archives;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>
/// Finds the archives among the posted files and makes one flat extent map of each file inside; what is in no archive stays as it is. Decides which
/// refusals of archives are the job's and which only cost a file beside it.
/// </summary>
internal sealed partial class LayoutStep(ImportTools tools)
{
    /// <summary>Files without a telling name whose first bytes are looked at inside archives.</summary>
    private const int MostSniffed = 32;

    /// <param name="job">The job's name.</param>
    /// <param name="post">What was posted.</param>
    /// <param name="passwords">Tried in order.</param>
    /// <param name="reckon">False: the headers of all volumes are read.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    public async Task<StepResult<IReadOnlyList<ContentFile>>> RunAsync(
        string job, NamedPost post, IReadOnlyList<string> passwords, bool reckon, CancellationToken cancellationToken)
    {
        var files = post.Files;
        var volumes = new ArchiveVolume[files.Count];
        var learned = files.ToArray();
        for (var i = 0; i < volumes.Length; i++)
        {
            // What the reading of headers finds out about where articles lie counts for the files inside.
            var index = i;
            var opened = tools.Usenet.Open(files[i].File.Map, map => learned[index] = learned[index] with { File = learned[index].File with { Map = map } });
            volumes[i] = new ArchiveVolume(opened, files[i].Name)
            {
                Head = files[i].File.Head,
                IsReckoned = files[i].File.IsReckoned,
                Place = files[i].File.Posted.SubjectParts.File,
                Posted = Dated(files[i].File.Posted.Date),
            };
        }

        var options = new ArchiveOptions { Passwords = [.. passwords], Reckon = reckon };
        var scan = await ArchiveReader.ReadAsync(volumes, options, cancellationToken);
        if (scan.Unreadable.FirstOrDefault(file => file.Fault == ContentFault.Unavailable) is { } silent)
            return ImportFailure.OfArticles(ImportFailure.Unavailable, files[silent.Volume].Name, silent.Text);
        if (IsDoubtful(scan, files, learned))
            return ImportFailure.Doubtful;
        files = learned;
        var plain = Enumerable.Range(0, files.Count).ToHashSet();
        var content = new List<ContentFile>();
        var refused = new List<(long Size, ImportFailure Failure)>();
        var torn = new HashSet<int>();
        foreach (var layout in scan.Layouts)
        {
            if ((layout.Refusal ?? TornFiles.Refuse(layout, post)) is { } refusal)
            {
                // The volumes themselves stay where the rest of the job is worth more.
                Refuse(layout.Format, refusal, layout.Volumes.Sum(volume => files[volume].File.Length), refused);
                if (layout.Format == ArchiveFormat.Split)
                    torn.UnionWith(layout.Volumes);
                continue;
            }

            // What cannot be served from inside is still there as it was posted.
            if (!IsDisc(layout.Format) && layout.Entries.All(entry => entry.Refusal is null))
                plain.ExceptWith(layout.Volumes);
            try
            {
                content.AddRange(await SniffAsync(Take(layout, files, refused), volumes, options.Pool, cancellationToken));
            }
            catch (InvalidDataException e)
            {
                Refuse(layout.Format, new ArchiveRefusal(ArchiveRefusalReason.Damaged, e.Message), layout.Volumes.Sum(volume => files[volume].File.Length), refused);
            }
        }

        foreach (var index in plain.Except(torn).Order().ToArray())
        {
            if (TornFiles.Refuse(files[index].Name, post) is not { } refusal)
                continue;
            Refuse(ArchiveFormat.Split, refusal, files[index].File.Length, refused);
            torn.Add(index);
        }

        // The first part of a file that is not all there is not that file: it keeps its number.
        content.AddRange(plain.Order().Select(index => Plain(files[index], scan.Kinds[index]) is var file && torn.Contains(index) ? file with { Extension = "" } : file));
        if (Decisive(refused, content) is { } failure)
            return failure;
        return content.Count > 0
            ? new StepResult<IReadOnlyList<ContentFile>>(FinalNames.Run(job, content), Failure: null)
            : new ImportFailure(ImportFailure.BadArchive, "There is no file in this post: its archives are empty.");
    }

    /// <summary>
    /// True when a reckoned volume is not part of an archive that can be served and checked: then its headers have to be read. So have those of archives in which there are others, as
    /// these were found by reading through what was reckoned.
    /// </summary>
    private static bool IsDoubtful(ArchiveScan scan, IReadOnlyList<NamedFile> files, NamedFile[] learned)
    {
        var sound = new HashSet<int>();
        foreach (var layout in scan.Layouts)
        {
            if (layout is { Refusal: null, Nested.IsEmpty: true } && layout.Entries.All(entry => entry.Refusal is null))
                sound.UnionWith(layout.Format is ArchiveFormat.SevenZip or ArchiveFormat.Split ? layout.Volumes : layout.Expected.Select(header => header.Volume));
        }

        return Enumerable.Range(0, files.Count).Any(index => files[index].File.IsReckoned && (!sound.Contains(index) || !ReferenceEquals(learned[index], files[index])));
    }

    private static bool IsDisc(ArchiveFormat format) => format is ArchiveFormat.Iso9660 or ArchiveFormat.Udf;

    /// <summary>A posted file as it is. What is inside a disc image is found in a folder beside it.</summary>
    private static ContentFile Plain(NamedFile file, FileKind kind)
    {
        var posted = file.File.Posted.Date;

        // The descriptors of a disc lie behind what was probed.
        var (type, extension) = kind is FileKind.Iso9660 or FileKind.Udf ? (FileType.Disc, ".iso") : file.Signature;
        return new ContentFile(file.Path, file.File.Map, file.File.Length)
        {
            Modified = posted > DateTimeOffset.UnixEpoch ? posted : null,
            Type = FileExtension.Judge(file.Name, type),
            Extension = extension,
            Verified = file.File.Verified,
        };
    }

    /// <summary>What is in an archive and in the archives inside it.</summary>
    private List<(ContentFile File, ArchiveEntry Entry)> Take(ArchiveLayout layout, IReadOnlyList<NamedFile> files, List<(long Size, ImportFailure Failure)> refused)
    {
        var first = files[layout.Volumes[0]];
        var taken = new List<(ContentFile File, ArchiveEntry Entry)>();
        var expected = layout.Expected.ToDictionary(header => header.Volume);
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
            var mapper = new SpanMapper(files, expected);
            var (map, encryption) = mapper.Run(entry);
            var file = new ContentFile(path, map, entry.Size)
            {
                Encryption = encryption,
                Reckoned = mapper.Reckoned,
                Modified = Dated(entry.Modified) ?? Dated(first.File.Posted.Date),
                Type = FileExtension.TypeOf(path[^1]),
                Verified = layout.Volumes.All(volume => files[volume].File.Verified),
            };
            taken.Add((file, entry));
        }

        LogArchive(tools.Logger, first.Name, layout.Format, layout.Volumes.Length, taken.Count);
        return taken;
    }

    /// <summary>Where the files of a disc image are: a folder beside it, called as it is without its extension.</summary>
    private static string FolderOf(string image) => FileExtension.IsUsual(image) && Path.GetFileNameWithoutExtension(image) is { Length: > 0 } stem ? stem : image;

    /// <summary>Archives inside that cannot be read stay as their volumes; what they would have brought is missed all the same.</summary>
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

    /// <summary>A disc image is a file that players open: nothing is lost when its inside cannot be shown.</summary>
    private void Refuse(ArchiveFormat format, ArchiveRefusal refusal, long size, List<(long Size, ImportFailure Failure)> refused)
    {
        if (IsDisc(format) && refusal.Reason != ArchiveRefusalReason.Unavailable)
            LogLeftOut(tools.Logger, refusal.Text);
        else
            refused.Add((size, FailureOf(refusal)));
    }

    private static DateTimeOffset? Dated(DateTimeOffset? date) => date > DateTimeOffset.UnixEpoch ? date : null;

    /// <summary>
    /// Names inside archives are as hidden as others: the biggest files without an extension that means something are looked at, and those that call themselves archives or discs, where films are hidden.
    /// </summary>
    private async Task<IEnumerable<ContentFile>> SniffAsync(
        List<(ContentFile File, ArchiveEntry Entry)> taken, ArchiveVolume[] volumes, BufferPool pool, CancellationToken cancellationToken)
    {
        var files = taken.ConvertAll(one => one.File);
        var unknown = Enumerable.Range(0, files.Count).Where(index => files[index] is { Type: FileType.Unknown or FileType.Archive or FileType.Disc, Size: > 0 });
        foreach (var index in unknown.OrderByDescending(index => files[index].Size).Take(MostSniffed).ToArray())
        {
            try
            {
                var content = ArchiveContent.Open(taken[index].Entry, Array.ConvertAll(volumes, volume => volume.Content), pool);
                var count = (int)Math.Min(content.Length, ArchiveSignature.ShortLength);
                var (type, extension) = FileSignature.Of(await ContentBytes.ReadAsync(content, 0, count, ReadIntent.Import, cancellationToken));
                if (type != FileType.Unknown)
                    files[index] = files[index] with { Type = type, Extension = extension };
            }
            catch (ContentException e)
            {
                LogUnread(tools.Logger, files[index].Name, e.Message);
            }
        }

        return files;
    }

    /// <summary>
    /// The refusal that is the job's: of what is bigger than everything that can be served, or of the only video. Others cost a file, and are told in the log.
    /// </summary>
    private ImportFailure? Decisive(List<(long Size, ImportFailure Failure)> refused, List<ContentFile> content)
    {
        if (refused.Count == 0)
            return null;
        if (refused.Find(one => one.Failure.Passing).Failure is { } passing)
            return passing;
        var served = content.Where(file => file.Type is not (FileType.Archive or FileType.Recovery)).Select(file => file.Size).DefaultIfEmpty(0).Max();
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
        ArchiveRefusalReason.Unavailable => new ImportFailure(ImportFailure.Unavailable, refusal.Text, Passing: true),
        _ => new ImportFailure(ImportFailure.BadArchive, refusal.Text),
    };

    [LoggerMessage(203, LogLevel.Debug, "{File} is the first volume of a {Format} archive of {Volumes} volumes with {Files} files.")]
    private static partial void LogArchive(ILogger logger, string file, ArchiveFormat format, int volumes, int files);

    [LoggerMessage(204, LogLevel.Warning, "Left out: {Reason}")]
    private static partial void LogLeftOut(ILogger logger, string reason);

    [LoggerMessage(205, LogLevel.Warning, "What {File} is cannot be told: {Reason}")]
    private static partial void LogUnread(ILogger logger, string file, string reason);
}

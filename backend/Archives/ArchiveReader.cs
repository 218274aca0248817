using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>
/// Finds the archives among the files of a post and the offsets of each entry's bytes, without unpacking anything. Stateless, thread-safe.
/// </summary>
public static class ArchiveReader
{
    /// <summary>
    /// Reads the headers. Fetches one article of each file (none if <see cref="ArchiveVolume.Head"/> is enough) and the headers between entries; fewer for
    /// regular sets, see <see cref="ArchiveOptions.RegularSets"/> and <see cref="ArchiveVolume.IsInferred"/>.
    /// </summary>
    /// <param name="files">The files of one job, in any order. Names of volumes may be wrong or random.</param>
    /// <param name="options">How to read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Damaged, encrypted or missing archives are refusals in the result, never exceptions.</returns>
    public static async ValueTask<ArchiveScan> ReadAsync(IReadOnlyList<ArchiveVolume> files, ArchiveOptions options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(files);
        ArgumentNullException.ThrowIfNull(options);
        var windows = new VolumeWindow[files.Count];
        for (var i = 0; i < windows.Length; i++)
            windows[i] = new VolumeWindow(files[i], options.Intent);
        var layouts = new List<ArchiveLayout>();
        var left = Enumerable.Range(0, files.Count).ToHashSet();
        var kinds = new FileKind[files.Count];
        var reading = new ArchiveReading(files, windows, kinds, options, ReadAsync);
        foreach (var set in options.RegularSets)
        {
            if (await new RarArchive(windows, options.Passwords, options.Together).InferAsync(set, cancellationToken) is not { } layout)
                continue;
            layouts.Add(await reading.NestAsync(layout, cancellationToken));
            left.ExceptWith(set);
        }

        var unreadable = new List<UnreadableFile>();
        var rest = left.Order().ToArray();
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = options.Together, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, rest.Length, parallel, async (i, token) =>
        {
            try
            {
                if (!files[rest[i]].IsInferred)
                    kinds[rest[i]] = await DetectAsync(windows[rest[i]], token);
            }
            catch (ContentException fault)
            {
                lock (unreadable)
                    unreadable.Add(new UnreadableFile(rest[i], fault.Fault, fault.Message));
            }
        });

        await reading.ReadAsync(rest.Except(unreadable.Select(file => file.Volume)), layouts, cancellationToken);
        return new ArchiveScan([.. layouts.OrderBy(layout => layout.Volumes.Min())], [.. kinds], [.. unreadable.OrderBy(file => file.Volume)]);
    }

    private static async ValueTask<FileKind> DetectAsync(VolumeWindow window, CancellationToken cancellationToken)
    {
        var head = await window.ReadAsync(0, ArchiveSignature.ShortLength, cancellationToken);
        var kind = ArchiveSignature.Detect(head.Span);
        if (kind == FileKind.Program && await RarVolumeReader.IsSelfExtractingAsync(window, cancellationToken) is { } inside)
            return inside;
        if (kind != FileKind.Unknown || window.Length < ArchiveSignature.SmallestDisc)
            return kind;
        return ArchiveSignature.Detect((await window.ReadAsync(0, ArchiveSignature.FullLength, cancellationToken)).Span);
    }
}

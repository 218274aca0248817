using System.Collections.Immutable;
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
    /// Reads the headers. Fetches one article of each file (none if <see cref="ArchiveVolume.Head"/> is enough) and the headers between
    /// entries; fewer for regular sets, see <see cref="ArchiveOptions.RegularSets"/> and <see cref="ArchiveVolume.IsInferred"/>.
    /// </summary>
    /// <param name="files">The files of one job, in any order. Names of volumes may be wrong or random.</param>
    /// <param name="options">How to read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The archives. Damaged, encrypted or missing ones are refusals in the result, never exceptions.</returns>
    public static async ValueTask<ArchiveScan> ReadAsync(
        IReadOnlyList<ArchiveVolume> files, ArchiveOptions options, CancellationToken cancellationToken)
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
            if (await new RarArchive(windows, options.Passwords, options.MaxVolumesAtOnce).InferAsync(set,
                cancellationToken) is not { } layout)
                continue;
            layouts.Add(await reading.NestAsync(layout, cancellationToken));
            left.ExceptWith(set);
        }

        var unreadable = new List<UnreadableFile>();
        var rest = left.Order().ToArray();
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = options.MaxVolumesAtOnce, CancellationToken = cancellationToken };
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
        return new ArchiveScan(
            [.. layouts.OrderBy(layout => layout.Volumes.Min())], [.. kinds], [.. unreadable.OrderBy(file => file.Volume)]);
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

/// <summary>How archives are read.</summary>
public sealed record ArchiveOptions
{
    /// <summary>Passwords, tried in order. Empty ones are ignored.</summary>
    public ImmutableArray<string> Passwords { get; init; } = [];

    /// <summary>
    /// Sets that the caller considers regular, each as ordered indexes into the list of files. Of a regular RAR set, only the first two
    /// volumes and the last are read; the headers of the others are inferred and listed in <see cref="ArchiveLayout.Expected"/>. Empty: the
    /// headers of every volume are read.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<int>> RegularSets { get; init; } = [];

    /// <summary>The intent of all reads. With <see cref="ReadIntent.Import"/> they have a lower priority than those of readers.</summary>
    public ReadIntent Intent { get; init; } = ReadIntent.Import;

    /// <summary>Number of volumes read at the same time, to hide round trips; at least 1.</summary>
    public int MaxVolumesAtOnce { get; init; } = 32;

    /// <summary>
    /// Most bytes read to check the checksums of whole archives, when nothing else proves the order of their volumes. A larger archive is
    /// refused. By default 512 MiB: five to ten seconds on a fast line.
    /// </summary>
    public long MostChecked { get; init; } = 512L << 20;

    /// <summary>Called for each segment of such an archive, with the bytes read so far and in total.</summary>
    public Action<long, long>? Checked { get; init; }

    /// <summary>Nesting depth to which archives and disc images inside archives are read; 0 … 4.</summary>
    public int Depth { get; init; } = 2;

    /// <summary>
    /// Buffers for decrypting encrypted archives when looking for archives inside them. By default a small pool of its own.
    /// </summary>
    public BufferPool Pool { get; init; } = new(new BufferBudget(8 << 20));
}

/// <summary>The archives among the files of a post, and the kind of each file.</summary>
/// <param name="Layouts">The archives, ordered by the index of their first volume. Each file is in at most one layout; a file in none is a
/// plain file.</param>
/// <param name="Kinds">The kind of each file. <see cref="FileKind.Unknown"/> also for unreadable files and for inferred volumes.</param>
/// <param name="Unreadable">Files whose first bytes could not be read. If they are volumes, their set is refused.</param>
public sealed record ArchiveScan(
    ImmutableArray<ArchiveLayout> Layouts, ImmutableArray<FileKind> Kinds, ImmutableArray<UnreadableFile> Unreadable);

/// <summary>A file whose first bytes could not be read, so that its kind is unknown.</summary>
/// <param name="Volume">Index into the list of files.</param>
/// <param name="Fault">The fault, which shows whether a later attempt may succeed.</param>
/// <param name="Text">What went wrong, for the user.</param>
public sealed record UnreadableFile(int Volume, ContentFault Fault, string Text);

using NzbDav.Archives.Discs;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Archives.SevenZip;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Split;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>Lays out files whose kinds are known. For one scan.</summary>
internal sealed class ArchiveReading(IReadOnlyList<ArchiveVolume> files, VolumeWindow[] windows, FileKind[] kinds, ArchiveOptions options, ArchiveScanner scanner)
{
    private readonly HashSet<int> _free = [];

    /// <param name="indexes">The files that are in no layout yet.</param>
    /// <param name="layouts">Receives the layouts that are found.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask ReadAsync(IEnumerable<int> indexes, List<ArchiveLayout> layouts, CancellationToken cancellationToken)
    {
        var known = indexes.Where(index => !ArchiveSignature.IsBookName(windows[index].Name)).ToList();
        _free.UnionWith(known.Where(index => kinds[index] == FileKind.Unknown || ArchiveSignature.IsWeak(kinds[index])));
        var found = new List<ArchiveLayout>();

        // A split file may be an archive itself. Its first part is then no volume of a set, and the other parts have no headers.
        var split = new SplitReading(windows, kinds);
        foreach (var (parts, copies) in VolumeSequences.Plain(windows, kinds, _free).ToList())
        {
            if (kinds[parts[0]] != FileKind.SevenZip && await split.ReadAsync(parts, copies, cancellationToken) is { } layout)
                found.Add(layout);
        }

        foreach (var index in known.Where(index => !found.Exists(layout => layout.Volumes.Contains(index))).ToList())
        {
            if (await split.ReadFirstAsync(index, cancellationToken) is { } layout)
                found.Add(layout);
        }

        known.RemoveAll(index => found.Exists(layout => layout.Volumes.Contains(index)));
        _free.ExceptWith(found.SelectMany(layout => layout.Volumes));
        var begun = known.Where(index => kinds[index] == FileKind.SevenZip).ToList();
        foreach (var index in begun)
        {
            if (!found.Exists(layout => layout.Volumes.Contains(index)))
                found.Add(await SevenZipAsync(index, begun, cancellationToken));
        }

        var rar = known.Where(index => kinds[index] is FileKind.Rar4 or FileKind.Rar5).ToArray();
        if (rar.Length > 0)
            found.AddRange(await new RarArchive(windows, options.Passwords, options.Together).ReadAsync(rar, cancellationToken));
        await KeepProgramsAsync(found, cancellationToken);

        foreach (var index in known.Where(index => kinds[index] is FileKind.Iso9660 or FileKind.Udf))
            found.Add(await DiscAsync(index, cancellationToken));

        _free.ExceptWith(found.SelectMany(layout => layout.Volumes));
        foreach (var (parts, number) in VolumeSequences.Headless(windows, _free).ToList())
            found.Add(Headless(parts, number));

        foreach (var layout in found)
            layouts.Add(await NestAsync(layout, cancellationToken));
    }

    /// <summary>Looks for archives among the entries.</summary>
    public async ValueTask<ArchiveLayout> NestAsync(ArchiveLayout layout, CancellationToken cancellationToken) =>
        options.Depth > 0 && layout is { Refusal: null, Entries.IsEmpty: false }
            ? layout with { Nested = await ArchiveNesting.ReadAsync(layout, files, options, scanner, cancellationToken) }
            : layout;

    /// <summary>
    /// Keeps a program with a self-extracting archive as a plain file, as users want the program. With more volumes it is the first of a set and stays an
    /// archive.
    /// </summary>
    private async ValueTask KeepProgramsAsync(List<ArchiveLayout> found, CancellationToken cancellationToken)
    {
        foreach (var layout in found.Where(layout => layout is { Format: ArchiveFormat.Rar4 or ArchiveFormat.Rar5, Volumes.Length: 1 }).ToList())
        {
            var index = layout.Volumes[0];
            if (!ArchiveSignature.IsProgram((await windows[index].ReadAsync(0, RarSignature.Length, cancellationToken)).Span))
                continue;
            found.Remove(layout);
            kinds[index] = FileKind.Program;
        }
    }

    private ArchiveLayout Headless(List<int> parts, int number)
    {
        var whole = VolumeSequences.WholeName(windows[parts[0]].Name);
        whole = whole[(whole.LastIndexOf('/') + 1)..];
        return new ArchiveLayout
        {
            Format = ArchiveFormat.Split,
            Volumes = [.. parts],
            Refusal = new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, number == 2 ? $"Part 1 of '{whole}' is missing." : $"Parts 1 to {number - 1} of '{whole}' are missing."),
        };
    }

    private async ValueTask<ArchiveLayout> DiscAsync(int index, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout { Format = kinds[index] == FileKind.Udf ? ArchiveFormat.Udf : ArchiveFormat.Iso9660, Volumes = [index] };
        try
        {
            return await DiscArchive.ReadAsync(new VolumeJoin(windows, [index]), layout, cancellationToken);
        }
        catch (ArchiveException refused)
        {
            return layout with { Refusal = refused.Refusal };
        }
        catch (ContentException fault)
        {
            return layout with { Refusal = ArchiveRefusals.Of(fault, windows[index].Name) };
        }
    }

    private async ValueTask<ArchiveLayout> SevenZipAsync(int first, List<int> begun, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout { Format = ArchiveFormat.SevenZip, Volumes = [first] };
        try
        {
            var start = await windows[first].ReadAsync(0, SevenZipArchive.StartLength, cancellationToken);
            var proven = true;
            if (SevenZipArchive.LengthOf(start.Span) is { } length)
            {
                (var volumes, proven) = VolumeSequences.SevenZip(windows, first, length, _free);
                layout = layout with { Volumes = [.. volumes] };
            }

            var join = new VolumeJoin(windows, layout.Volumes);
            layout = layout with { Volumes = [.. layout.Volumes, .. VolumeSequences.Copies(windows, layout.Volumes, _free.Concat(begun))] };
            _free.ExceptWith(layout.Volumes);
            if (!proven)
                return layout with { Refusal = ArchiveRefusals.Unordered("7z", join.Count, join.Name) };
            return await new SevenZipArchive(windows, join, options.Passwords).ReadAsync(layout, cancellationToken);
        }
        catch (ArchiveException refused)
        {
            return layout with { Refusal = refused.Refusal };
        }
        catch (ContentException fault)
        {
            return layout with { Refusal = ArchiveRefusals.Of(fault, windows[first].Name) };
        }
    }
}

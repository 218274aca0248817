using NzbDav.Archives.Discs;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Archives.SevenZip;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Split;
using NzbDav.Archives.Volumes;
using NzbDav.Archives.Zip;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>Lays out the files whose kinds are known. For one scan.</summary>
internal sealed class ArchiveReading(
    IReadOnlyList<ArchiveVolume> files, VolumeWindow[] windows, FileKind[] kinds, ArchiveOptions options, ArchiveScanner scanner)
{
    private readonly HashSet<int> _free = [];
    private readonly OrderProof _proof = new(files, options);

    /// <param name="indexes">The files that are in no layout yet.</param>
    /// <param name="layouts">Receives the layouts that are found.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask ReadAsync(IEnumerable<int> indexes, List<ArchiveLayout> layouts, CancellationToken cancellationToken)
    {
        var known = indexes.Where(index => !ArchiveSignature.IsBookName(windows[index].Name)).ToList();
        _free.UnionWith(known.Where(index => kinds[index] == FileKind.Unknown || ArchiveSignature.IsWeak(kinds[index])));
        var found = new List<ArchiveLayout>();

        // A split file may itself be an archive. Its first part is then no volume of a set, and the other parts have no headers.
        var split = new SplitReading(windows, kinds);
        foreach (var (parts, copies) in VolumeSequences.Plain(windows, kinds, _free).ToList())
        {
            if (kinds[parts[0]] != FileKind.SevenZip && await split.ReadAsync(parts, copies, cancellationToken) is { } layout)
                found.Add(layout);
        }

        foreach (var numbers in VolumeSequences.Mixed(windows, kinds, _free).ToList())
            found.AddRange(await MixedAsync(split, numbers, cancellationToken));

        foreach (var index in known.Where(index => !found.Exists(layout => layout.Volumes.Contains(index))).ToList())
        {
            if (await split.ReadFirstAsync(index, cancellationToken) is { } layout)
                found.Add(layout);
        }

        known.RemoveAll(index => found.Exists(layout => layout.Volumes.Contains(index)));
        _free.ExceptWith(found.SelectMany(layout => layout.Volumes));
        var begun = await FindSevenZipStartsAsync(known.Where(index => kinds[index] == FileKind.SevenZip), cancellationToken);
        foreach (var (index, length) in begun)
        {
            if (!found.Exists(layout => layout.Volumes.Contains(index)))
                found.Add(await SevenZipAsync(index, length, begun, cancellationToken));
        }

        // First the files that are the first part of a set: the set's last part may look like an archive of its own.
        var zips = known.Where(index => kinds[index] == FileKind.Zip && ArchiveSignature.IsZipName(windows[index].Name));
        var zip = new ZipReading(windows);
        foreach (var index in zips.OrderBy(index => VolumeName.Parse(windows[index].Name) is null).ToList())
        {
            if (!found.Exists(layout => layout.Volumes.Contains(index))
                && await zip.ReadAsync(index, known, _free, cancellationToken) is { } layout)
                found.Add(layout);
        }

        var rar = known.Where(index => kinds[index] is FileKind.Rar4 or FileKind.Rar5).ToArray();
        if (rar.Length > 0)
        {
            foreach (
                var layout in await new RarArchive(windows, options.Passwords, options.MaxVolumesAtOnce).ReadAsync(rar, cancellationToken))
                found.Add(await ProveAsync(layout, cancellationToken));
        }

        await KeepProgramsAsync(found, cancellationToken);

        foreach (var index in known.Where(index => kinds[index] is FileKind.Iso9660 or FileKind.Udf))
            found.Add(await DiscAsync(index, cancellationToken));

        _free.ExceptWith(found.SelectMany(layout => layout.Volumes));
        foreach (var (parts, number) in VolumeSequences.Headless(windows, _free).ToList())
            found.Add(Headless(parts, number));

        foreach (var layout in found)
            layouts.Add(await NestAsync(layout, cancellationToken));
    }

    /// <summary>Adds the archives found among a layout's entries.</summary>
    public async ValueTask<ArchiveLayout> NestAsync(ArchiveLayout layout, CancellationToken cancellationToken) =>
        options.Depth > 0 && layout is { Refusal: null, Entries.IsEmpty: false }
            ? layout with { Nested = await ArchiveNesting.ReadAsync(layout, files, options, scanner, cancellationToken) }
            : layout;

    /// <summary>
    /// Keeps a program with a self-extracting archive as a plain file, because users want the program. With more volumes it is the first of
    /// a set and stays an archive.
    /// </summary>
    private async ValueTask KeepProgramsAsync(List<ArchiveLayout> found, CancellationToken cancellationToken)
    {
        foreach (var layout in found.Where(layout => layout is { Format: ArchiveFormat.Rar4 or ArchiveFormat.Rar5, Volumes.Length: 1 })
            .ToList())
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
            Refusal = new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes,
                number == 2 ? $"Part 1 of '{whole}' is missing." : $"Parts 1 to {number - 1} of '{whole}' are missing."),
        };
    }

    private async ValueTask<ArchiveLayout> DiscAsync(int index, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout
        { Format = kinds[index] == FileKind.Udf ? ArchiveFormat.Udf : ArchiveFormat.Iso9660, Volumes = [index] };
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

    /// <summary>Finds the files that begin a 7z archive, with the archive's length; −1 if that cannot be read.</summary>
    private async ValueTask<List<(int Index, long Length)>> FindSevenZipStartsAsync(
        IEnumerable<int> indexes, CancellationToken cancellationToken)
    {
        var begun = new List<(int Index, long Length)>();
        foreach (var index in indexes)
        {
            try
            {
                var start = await windows[index].ReadAsync(0, SevenZipArchive.StartLength, cancellationToken);
                begun.Add((index, SevenZipArchive.LengthOf(start.Span) ?? -1));
            }
            catch (ContentException)
            {
                begun.Add((index, -1));
            }
        }

        return begun;
    }

    private async ValueTask<ArchiveLayout> SevenZipAsync(
        int first, long length, List<(int Index, long Length)> begun, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout { Format = ArchiveFormat.SevenZip, Volumes = [first] };
        var (orders, proven) = SevenZipOrders.Find(windows, (first, length), begun, _free);
        layout = await SevenZipAsync(layout, orders, proven, cancellationToken);
        var copies = VolumeSequences.Copies(windows, layout.Volumes, _free.Concat(begun.Select(one => one.Index)));
        layout = layout with { Volumes = [.. layout.Volumes, .. copies] };
        _free.ExceptWith(layout.Volumes);
        return layout;
    }

    /// <summary>Reads the archive in its order; if that is not proven, in the first of several orders that can be.</summary>
    private async ValueTask<ArchiveLayout> SevenZipAsync(
        ArchiveLayout layout, IReadOnlyList<List<int>> orders, bool proven, CancellationToken cancellationToken)
    {
        ArchiveLayout? locked = null;
        foreach (var order in orders)
        {
            var join = new VolumeJoin(windows, order);
            var ordered = layout with { Volumes = [.. order] };
            try
            {
                var read = await new SevenZipArchive(windows, join, options.Passwords).ReadAsync(ordered, cancellationToken);
                if (proven)
                    return read;

                // A password may only seem wrong because the order is.
                if (read.Entries.All(entry => entry.Refusal is not null))
                {
                    locked ??= read;
                    continue;
                }

                var spare = _free.Where(index => !order.Contains(index) && windows[index].Length == windows[order[0]].Length).Order()
                    .ToList();
                if (await _proof.RunAsync(read, order[1..^1], spare, cancellationToken) is { } found)
                    return found;
            }
            catch (ArchiveException refused) when (proven || refused.Refusal.Reason != ArchiveRefusalReason.Damaged)
            {
                return ordered with { Refusal = refused.Refusal };
            }
            catch (ArchiveException)
            {
                // The header has another checksum: the last volume belongs to another archive.
            }
            catch (ContentException fault)
            {
                return ordered with { Refusal = ArchiveRefusals.Of(fault, windows[order[0]].Name) };
            }
        }

        var first = orders[0];
        return locked ?? layout
            with
        { Volumes = [.. first], Refusal = ArchiveRefusals.Unordered("7z", first.Count, windows[first[0]].Name) };
    }

    /// <summary>
    /// Reads several split files of one name whose film proves which parts are theirs. First guess: they were posted one after the other,
    /// or alternating.
    /// </summary>
    /// <param name="split">Reads one of them.</param>
    /// <param name="numbers">The parts of each number.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    private async ValueTask<List<ArchiveLayout>> MixedAsync(SplitReading split, List<List<int>> numbers,
        CancellationToken cancellationToken)
    {
        var layouts = new List<ArchiveLayout>();
        var refused = new List<int>();
        foreach (var first in numbers[0].ToList())
        {
            var others = numbers.Skip(1)
                .Select(number => number.FindAll(index => !layouts.Exists(layout => layout.Volumes.Contains(index))))
                .Where(number => number.Count > 0).ToList();
            List<int> parts = [first, .. others.Select(number => number[Math.Min(refused.Count, number.Count - 1)])];
            if (await MixedAsync(split, parts, [.. others.SelectMany(number => number).Except(parts)], cancellationToken) is { } layout)
                layouts.Add(layout);
            else
                refused.Add(first);
        }

        if (refused.Count == 0)
            return layouts;
        var left = numbers.SelectMany(number => number).Where(index => !layouts.Exists(layout => layout.Volumes.Contains(index))).ToArray();
        return
        [
            .. layouts,
            new ArchiveLayout
            {
                Format = ArchiveFormat.Split,
                Volumes = [.. left],
                Refusal = ArchiveRefusals.Unordered("Split files of one name", left.Length, windows[refused[0]].Name),
            },
        ];
    }

    /// <summary>Reads one of these files; null if nothing proves which parts belong to it.</summary>
    private async ValueTask<ArchiveLayout?> MixedAsync(SplitReading split, List<int> parts, List<int> others,
        CancellationToken cancellationToken)
    {
        try
        {
            return await split.ReadAsync(parts, [], cancellationToken) is { Refusal: null } layout
                ? await _proof.RunAsync(layout, parts[1..], others, cancellationToken)
                : null;
        }
        catch (ContentException)
        {
            return null;
        }
    }

    /// <summary>Proves the order of a RAR archive's volumes if it is only that of the list.</summary>
    private async ValueTask<ArchiveLayout> ProveAsync(ArchiveLayout layout, CancellationToken cancellationToken)
    {
        if (layout.Guessed.IsEmpty || layout.Refusal is not null
            || layout.Entries.All(entry => entry.IsDirectory || entry.Refusal is not null))
            return layout;
        try
        {
            if (await _proof.RunAsync(layout, layout.Guessed, [], cancellationToken) is { } found)
                return found with { Guessed = [] };
            var refusal = ArchiveRefusals.Unordered("RAR", layout.Volumes.Length, windows[layout.Volumes[0]].Name);
            return layout with { Entries = [], Refusal = refusal };
        }
        catch (ContentException fault)
        {
            return layout with { Entries = [], Refusal = ArchiveRefusals.Of(fault, windows[layout.Volumes[0]].Name) };
        }
    }
}

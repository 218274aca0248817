using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>Finds the archives among files that begin as RAR volumes. For one job.</summary>
/// <param name="windows">All files of the job.</param>
/// <param name="passwords">Passwords, tried in order.</param>
/// <param name="together">Number of volumes read at the same time, at least 1.</param>
internal sealed class RarArchive(IReadOnlyList<VolumeWindow> windows, ImmutableArray<string> passwords, int together)
{
    private readonly RarKeyring _keyring = new(passwords);

    /// <summary>Reads every volume's headers and groups the volumes into sets.</summary>
    public async ValueTask<List<ArchiveLayout>> ReadAsync(IReadOnlyList<int> indexes, CancellationToken cancellationToken)
    {
        var volumes = await ReadVolumesAsync(indexes, toTheEnd: false, cancellationToken);
        var sets = RarSets.Group(volumes);
        var nameless = sets.Where(set => !set.ByName).SelectMany(set => set.Volumes.Concat(set.Others))
            .Where(volume => volume is { Format: ArchiveFormat.Rar4, Refusal: null, IsVolume: true, Number: null })
            .Select(volume => volume.Index).Order().ToArray();
        if (nameless.Length > 1)
        {
            // RAR4 stores the volume's number after the data.
            var again = await ReadVolumesAsync(nameless, toTheEnd: true, cancellationToken);
            sets = RarSets.Group([.. volumes.Where(volume => Array.BinarySearch(nameless, volume.Index) < 0), .. again]);
        }

        var layouts = new List<ArchiveLayout>(sets.Count);
        foreach (var set in sets)
            layouts.Add(await LayOutAsync(set, cancellationToken));
        return layouts;
    }

    /// <summary>
    /// Reads the first two and the last volume of a regular set and infers the others; null if these three do not determine the others.
    /// </summary>
    /// <param name="indexes">The set in order.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<ArchiveLayout?> InferAsync(IReadOnlyList<int> indexes, CancellationToken cancellationToken)
    {
        var read = await ReadVolumesAsync([indexes[0], indexes[1], indexes[^1]], toTheEnd: false, cancellationToken);
        if (read.Exists(volume => volume.Refusal is not null || !volume.IsVolume) || read[0].SplitBefore
            || read[0].Format != read[2].Format)
            return null;
        var set = new RarSet { ByName = true };
        if (RarInference.TryLayOut([.. indexes.Select(index => (index, windows[index].Name, windows[index].Length))], read[0], read[1],
            read[2]) is not { } volumes)
            return null;
        set.Volumes.AddRange(volumes);
        var layout = await LayOutAsync(set, cancellationToken);
        return layout.Refusal is not null
            ? null
            : layout with
            {
                Expected = volumes.Skip(2).SkipLast(1)
                .ToDictionary(volume => volume.Index, volume => ExpectedHeader.Of(volume).ToBytes())
            };
    }

    private async ValueTask<List<RarVolume>> ReadVolumesAsync(
        IReadOnlyList<int> indexes, bool toTheEnd, CancellationToken cancellationToken)
    {
        var volumes = new RarVolume[indexes.Count];
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = together, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, volumes.Length, parallel, async (i, token) =>
            volumes[i] = await RarVolumeReader.ReadAsync(windows[indexes[i]], indexes[i], _keyring, toTheEnd, token));
        return [.. volumes];
    }

    private async ValueTask<ArchiveLayout> LayOutAsync(RarSet set, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout
        {
            Format = set.Volumes[0].Format,
            Volumes = [.. set.Volumes.Concat(set.Others).Select(volume => volume.Index)],
            Refusal = set.Refusal,
            Guessed = [.. set.Guessed.Select(volume => volume.Index)],
        };
        if (set.Refusal is not null)
            return layout;
        try
        {
            var assembler = new RarAssembler(windows, set.Volumes, _keyring);
            return await assembler.AssembleAsync(layout, cancellationToken);
        }
        catch (ArchiveException refused)
        {
            return layout with { Refusal = refused.Refusal };
        }
        catch (ContentException fault)
        {
            return layout with { Refusal = ArchiveRefusals.Of(fault, set.Volumes[0].Name) };
        }
    }
}

using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>Describes the files that libraries no longer use.</summary>
internal sealed class LibraryView(
    HoldStore holds, UnwantedItems unwanted, TreeStore tree, Live<KeepingOptions> options, ArrInstances arrs, LibraryKeeper keeper,
    IServiceProvider services)
{
    public async Task<LibraryAnswer> DescribeAsync(CancellationToken cancellationToken)
    {
        var readings = await holds.ReadingsAsync(cancellationToken);
        var trialEnds = readings?.First + options.Value.Trial;
        var rows = new List<LostRow>();
        var seeds = await HoldingServices.ListSeedingAsync(services, cancellationToken);
        foreach (var file in await unwanted.ListLostAsync(cancellationToken))
        {
            if (await tree.GetPathAsync(file.ItemId, cancellationToken) is { } path)
                rows.Add(file is { State: not UnwantedState.Kept, InfoHash: { } hash } && seeds.Contains(hash)
                    ? new LostRow("/" + string.Join('/', path), "Seeding", file.Holder, file.Since, null, null)
                    : RowOf(file, "/" + string.Join('/', path), options.Value, trialEnds));
        }

        var libraries = LibraryWatch.Sources(options, arrs, holds);
        return new LibraryAnswer([.. libraries.Select(library => library.Name)], readings?.Last, trialEnds,
            await holds.CountHeldAsync(cancellationToken), keeper.Last?.Problems ?? [], rows);
    }

    private static LostRow RowOf(UnwantedFile file, string path, KeepingOptions rules, DateTimeOffset? trialEnds)
    {
        var state = file.State == UnwantedState.Shown ? "Lost" : file.State.ToString();
        if (file.State == UnwantedState.Kept)
            return new LostRow(path, state, file.Holder, file.Since, null, null);
        if (file.State == UnwantedState.Hidden)
            return new LostRow(path, state, file.Holder, file.Since, null, file.Changed + rules.DeleteAfter);
        var hideAt = file.Since + rules.HideAfter;
        if (trialEnds > hideAt)
            hideAt = trialEnds.Value;
        return new LostRow(path, state, file.Holder, file.Since, hideAt, hideAt + rules.DeleteAfter);
    }
}

/// <summary>Files that libraries use, and those that they no longer use.</summary>
/// <param name="Libraries">The configured libraries: folders, and names of *arrs.</param>
/// <param name="Read">When all libraries were last read; null: never.</param>
/// <param name="TrialEnds">Until then nothing is hidden or deleted; null: not known before all libraries have been read once.</param>
/// <param name="Held">Number of files to which libraries have links.</param>
/// <param name="Problems">Why nothing is hidden or deleted; empty: nothing prevents it.</param>
/// <param name="Lost">Files that no library uses any more.</param>
internal sealed record LibraryAnswer(
    IReadOnlyList<string> Libraries, DateTimeOffset? Read, DateTimeOffset? TrialEnds, int Held, IReadOnlyList<string> Problems,
    IReadOnlyList<LostRow> Lost);

/// <summary>A file that no library uses any more.</summary>
/// <param name="Path">Its path below <c>/content</c>, also while it is hidden.</param>
/// <param name="State"><c>Lost</c>, <c>Hidden</c>, <c>Kept</c>, or <c>Seeding</c>: its torrent is still to be seeded, so it stays for
/// now.</param>
/// <param name="LastLink">The last known link to it.</param>
/// <param name="Since">Since when no library uses it.</param>
/// <param name="HideAt">Earliest time at which it is hidden; null: it is hidden already, it is seeded, or a person has kept it.</param>
/// <param name="DeleteAt">Earliest time at which it is deleted; null: it is seeded, or a person has kept it.</param>
internal sealed record LostRow(
    string Path, string State, string LastLink, DateTimeOffset Since, DateTimeOffset? HideAt, DateTimeOffset? DeleteAt);

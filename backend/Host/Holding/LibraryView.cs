using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>Describes the files that libraries no longer use.</summary>
internal sealed class LibraryView(
    HoldStore holds, TreeStore tree, Live<KeepingOptions> options, ArrInstances arrs, LibraryKeeper keeper, IServiceProvider services)
{
    public async Task<LibraryAnswer> DescribeAsync(CancellationToken cancellationToken)
    {
        var readings = await holds.ReadingsAsync(cancellationToken);
        var trialEnds = readings?.First + options.Value.Trial;
        var rows = new List<LostRow>();
        var seeds = await HoldingServices.ListSeedingAsync(services, cancellationToken);
        foreach (var file in await holds.ListLostAsync(cancellationToken))
        {
            if (await tree.GetPathAsync(file.ItemId, cancellationToken) is { } path)
                rows.Add(file is { Kept: null, InfoHash: { } hash } && seeds.Contains(hash)
                    ? new LostRow("/" + string.Join('/', path), "Seeding", file.Holder, file.Lost, null, null)
                    : RowOf(file, "/" + string.Join('/', path), options.Value, trialEnds));
        }

        var libraries = LibraryWatch.Sources(options, arrs, holds);
        return new LibraryAnswer([.. libraries.Select(library => library.Name)], readings?.Last, trialEnds, await holds.CountHeldAsync(cancellationToken), keeper.Last?.Problems ?? [], rows);
    }

    private static LostRow RowOf(HeldFile file, string path, KeepingOptions rules, DateTimeOffset? trialEnds)
    {
        if (file.Kept is not null)
            return new LostRow(path, "Kept", file.Holder, file.Lost, null, null);
        var hideAt = file.Lost + rules.HideAfter;
        if (trialEnds > hideAt)
            hideAt = trialEnds.Value;
        return new LostRow(path, file.Hidden is null ? "Lost" : "Hidden", file.Holder, file.Lost, file.Hidden is null ? hideAt : null, (file.Hidden ?? hideAt) + rules.DeleteAfter);
    }
}

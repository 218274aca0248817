using System.Globalization;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Repair;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Builds repair requests that identify a file to *arrs by its stable path and by its paths in another program. Thread-safe.
/// </summary>
internal sealed class RepairRequests(AliasStore aliases, SettingStore settings, Live<SabOptions> options)
{
    /// <param name="file">The file.</param>
    /// <param name="job">The job that published it; null: its entry was deleted.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<RepairRequest> MakeAsync(CatalogItem file, CatalogJob? job, CancellationToken cancellationToken)
    {
        var request = new RepairRequest(
            file.Id.ToString(CultureInfo.InvariantCulture), LibraryStore.StablePath(file.Id), DownloadIds.Of(file, job));
        var old = await aliases.ListPathsAsync(file.Id, cancellationToken);
        return old.Count == 0 ? request : request
            with
        { OldPaths = old, Mounts = await OldMounts.ReadAsync(settings, [options.Value.MountPath], cancellationToken) };
    }
}

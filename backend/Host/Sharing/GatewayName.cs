using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Host.Sharing;

/// <summary>
/// Names this process among the gateways of a database. The name is kept in the configuration folder, which one process uses at a time:
/// after a crash, the next process there need not wait for the leases of the former one to expire. The identity of the file is stored with
/// the name (<see cref="FileIdentity"/>): it does not match in a copy of the folder, where the process that wrote the name may still run.
/// </summary>
/// <param name="Name">New at each start.</param>
/// <param name="Former">The name of the former process; null: there was none, or it is not known.</param>
internal sealed record GatewayName(string Name, string? Former)
{
    private const string FileName = "gateway";

    /// <summary>Takes a new name. If the file cannot be read or written, only the leases of a crashed process last longer.</summary>
    public static GatewayName Create(string folder)
    {
        var path = Path.Combine(folder, FileName);
        var name = Guid.NewGuid().ToString("n");
        string? former = null;
        try
        {
            if (File.Exists(path) && File.ReadAllText(path).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) is [
                var before, var identity] && identity == FileIdentity.Of(path) && Guid.TryParseExact(before, "n", out _))
                former = before;
            File.WriteAllText(path, "");
            File.WriteAllText(path, $"{name} {FileIdentity.Of(path)}\n");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The leases expire by themselves.
        }

        return new GatewayName(name, former);
    }

    /// <summary>
    /// Requeues the jobs and gives up the torrents of the former process, which has crashed or was killed: otherwise their leases would
    /// have to expire first.
    /// </summary>
    /// <exception cref="CatalogException">The database cannot be reached.</exception>
    public async Task RequeueFormerAsync(JobStore jobs, TorrentOwners torrents, CancellationToken cancellationToken)
    {
        if (Former is null)
            return;
        await jobs.RequeueOfAsync(Former, cancellationToken);
        await torrents.GiveUpAllAsync(Former, cancellationToken);
    }
}

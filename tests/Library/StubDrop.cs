using System.Text;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library.Tests;

/// <summary>Takes everything, and queues it; of a zip, one job for each letter.</summary>
internal sealed class StubDrop(JobStore jobs) : INzbDrop
{
    public string DefaultCategory => "movies";

    public bool IsCategory(string name) => name.Length > 0 && !name.Contains(':', StringComparison.Ordinal) && name[^1] != '.';

    public async ValueTask<TakenNzb> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken)
    {
        using var bytes = new MemoryStream();
        await nzb.CopyToAsync(bytes, cancellationToken);
        var queued = new List<CatalogJob>();
        foreach (var name in Names(fileName, bytes))
        {
            bytes.Position = 0;
            queued.Add(await jobs.EnqueueAsync(new NewJob { Name = name, Kind = KindOf(fileName), Category = category ?? DefaultCategory, Source = JobSource.Dav }, bytes, cancellationToken));
        }

        return new TakenNzb(StoreWriteResult.Created, queued, bytes.Length);
    }

    /// <summary>Of a zip one job for each letter in it.</summary>
    private static string[] Names(string fileName, MemoryStream bytes)
    {
        if (fileName.EndsWith(".zip", StringComparison.Ordinal))
            return [.. Encoding.UTF8.GetString(bytes.ToArray()).Select(letter => letter.ToString())];
        var nzb = fileName.IndexOf(".nzb", StringComparison.OrdinalIgnoreCase);
        return [nzb < 0 ? Path.GetFileNameWithoutExtension(fileName) : fileName[..nzb]];
    }

    private static JobKind KindOf(string fileName) => Path.GetExtension(fileName).ToUpperInvariant() switch
    {
        ".TORRENT" => JobKind.Torrent,
        ".MAGNET" => JobKind.Magnet,
        _ => JobKind.Nzb,
    };
}

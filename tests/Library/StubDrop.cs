using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Library.Drop;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests;

/// <summary>Accepts and queues everything; a zip becomes one job per letter.</summary>
internal sealed class StubDrop(JobStore jobs) : INzbDrop
{
    public string DefaultCategory => "movies";

    public bool IsCategory(string name) => name.Length > 0 && !name.Contains(':', StringComparison.Ordinal) && name[^1] != '.';

    public async ValueTask<NzbUploadResult> AddAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken)
    {
        using var bytes = new MemoryStream();
        await nzb.CopyToAsync(bytes, cancellationToken);
        var queued = new List<CatalogJob>();
        foreach (var name in Names(fileName, bytes))
        {
            bytes.Position = 0;
            queued.Add(await jobs.EnqueueAsync(new NewJob
            {
                Name = name,
                Kind = KindOf(fileName),
                Category = category ?? DefaultCategory,
                Source = JobSource.Dav
            }, bytes, cancellationToken));
        }

        return new NzbUploadResult(StoreWriteResult.Created, queued, bytes.Length);
    }

    /// <summary>The job names of a zip: one per letter in it.</summary>
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

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
        string[] names = fileName.EndsWith(".zip", StringComparison.Ordinal) ? [.. Encoding.UTF8.GetString(bytes.ToArray()).Select(letter => letter.ToString())]
            : [fileName[..fileName.IndexOf(".nzb", StringComparison.OrdinalIgnoreCase)]];
        var queued = new List<CatalogJob>();
        foreach (var name in names)
        {
            bytes.Position = 0;
            queued.Add(await jobs.EnqueueAsync(new NewJob { Name = name, Category = category ?? DefaultCategory, Source = JobSource.Dav }, bytes, cancellationToken));
        }

        return new TakenNzb(StoreWriteResult.Created, queued, bytes.Length);
    }
}

using BenchmarkDotNet.Attributes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.Bench;

/// <summary>How many entries of a PROPFIND are written per second, and does memory use grow with the listing?</summary>
public class ListingWriting
{
    private readonly DefaultHttpContext _http = new();
    private readonly MemoryFile[] _files = [.. Enumerable.Range(0, 1000)
        .Select(index => new MemoryFile($"A file & its name - S01E{index:000} [é].mkv", 4_000_000_000 + index))];
    private readonly byte[] _directory = "/dav/content/tv/A.file.name-group/"u8.ToArray();

    [Params(1_000, 100_000)]
    public int Entries { get; set; }

    private readonly StorePath _path = StorePath.TryParse("/content/tv/A.file.name-group/")!;
    private readonly DavMounts _mounts = new("/dav", []);
    private readonly LockTable _locks = new(TimeProvider.System);

    [GlobalSetup]
    public void Setup() => _http.Features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(Stream.Null));

    [Benchmark]
    [AllocationBudget(0, Per = nameof(Entries), Once = 4_000)]
    public async Task<int> Write()
    {
        using var writer = new MultiStatusWriter(
            new WebDavRequest(_http, new MemoryStore(_files[0]), _path, "/dav", "", _mounts), PropFindBody.AllProperties, _locks);
        Func<string, StorePath> pathOf = _path.Child;
        for (var i = 0; i < Entries; i++)
        {
            var file = _files[i % _files.Length];
            writer.Add(_directory, file.Name, file, pathOf, []);
            if (writer.IsFull && !await writer.FlushAsync(CancellationToken.None))
                throw new InvalidOperationException("Nobody reads.");
        }

        writer.End();
        await writer.FlushAsync(CancellationToken.None);
        return Entries;
    }
}

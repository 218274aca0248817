using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Bench.Transport;

namespace NzbDav.Bench;

/// <summary>
/// What does a GET cost between content in memory and a client at the other end of a pipe: Kestrel, the WebDAV middleware and the body
/// pump, without sockets and without Usenet?
/// </summary>
public class FileGetting : IThroughput
{
    private MemoryServer? _server;
    private MemoryClient? _client;

    /// <summary>Bytes of the range: what a seek reads, and steady streaming.</summary>
    [Params(1 << 20, 64 << 20)]
    public int Length { get; set; }

    public long Bytes => Length;

    public int Mebibytes => Length >> 20;

    [GlobalSetup]
    public async Task SetupAsync()
    {
        _server = await MemoryServer.StartAsync(new MemoryStore(new MemoryFile("video.mkv", Length)));
        _client = new MemoryClient(_server.Connect(), "/dav/video.mkv", Length);
    }

    [GlobalCleanup]
    public async Task CleanupAsync()
    {
        _client!.Close();
        await _server!.DisposeAsync();
    }

    [Benchmark]
    [AllocationBudget(1_900, Per = nameof(Mebibytes), Once = 3_000)]
    public Task<long> Get() => _client!.GetAsync();
}

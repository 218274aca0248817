using NzbDav.Api.Sab.Traffic;

namespace NzbDav.Api.Tests;

/// <summary>Providers whose figures the test sets.</summary>
internal sealed class StubTraffic : ISabTraffic
{
    public List<ServerTraffic> Rows { get; } = [new ServerTraffic("main", "news.example.org", 0, 3, 20, 0, 0, 0, null)];

    public IReadOnlyList<ServerTraffic> Servers => [.. Rows];

    public long? SpeedLimit { get; set; }

    public (long Used, long Limit) Memory => (10 << 20, 96 << 20);
}

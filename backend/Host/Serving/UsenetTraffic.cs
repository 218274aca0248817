using NzbDav.Api.Sab.Traffic;
using NzbDav.Content;
using NzbDav.Usenet;

namespace NzbDav.Host.Serving;

/// <summary>The traffic to the providers, for the interfaces.</summary>
internal sealed class UsenetTraffic(UsenetClient usenet, BufferBudget budget) : ISabTraffic
{
    public IReadOnlyList<ServerTraffic> Servers => [.. usenet.Providers.Select(provider =>
    {
        var status = provider.Status;
        return new ServerTraffic(
            status.Name, provider.Options.Host, provider.Options.Priority, status.OpenConnections, status.MaxConnections, status.Bytes, status.Articles, status.Counters.Asked, status.Reason);
    })];

    public long? SpeedLimit
    {
        get => usenet.SpeedLimit;
        set => usenet.SpeedLimit = value;
    }

    public (long Used, long Limit) Memory => (budget.Reserved, budget.Limit);
}
